"""The slides: one group's problem, cause, proposal, cost and way, for a room."""
