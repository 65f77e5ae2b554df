"""How many consumers a group needs to clear its backlog in time."""
