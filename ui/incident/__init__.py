"""Why a group is behind, in sentences: who, since when, why, what to do, when it is over."""
