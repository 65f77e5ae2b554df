"""What to give a function that takes a group, where it was given something else."""

from evaluation.answering.given import Given


def way_out_of(found: object) -> str:
    """Return the way out for what is no group.

    >>> way_out_of("GROUP TOPIC PARTITION")
    'read(text) returns the groups of a text, each with its group'
    """
    if isinstance(found, str | bytes):
        return "read(text) returns the groups of a text, each with its group"
    if isinstance(found, Given):
        return "given.group is one"
    return "forecast() takes groups of other kinds"
