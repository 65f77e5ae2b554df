"""What an assignor of another kind of group did, step by step, with the rule that decided."""

from enum import Enum
from typing import NamedTuple


class Placement(NamedTuple):
    """One placement, and why."""

    member: str
    item: str
    """What was placed: "orders-3", a task "1_2", a connector or its task "sink-0"."""
    rule: Enum
    """A member of the strategy's own rules; its value is one sentence."""
