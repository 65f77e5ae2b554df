"""How urgent it is, for groups of every kind."""

from enum import IntEnum


class Severity(IntEnum):
    """How urgent a verdict is, the least first."""

    FINE = 0
    UNKNOWN = 1
    ADVICE = 2
    """Nothing is wrong, and something could be better."""
    WARNING = 3
    """What will be broken if nothing is done."""
    ALARM = 4
    """What is broken."""
