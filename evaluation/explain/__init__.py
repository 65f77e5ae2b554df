"""Explanations of an assignment, as a whole and partition by partition."""
