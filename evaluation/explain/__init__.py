"""Why an assignment is what it is, as a whole and partition by partition."""
