"""Why a group is behind, from its snapshots: one small class a cause, each with its figures."""
