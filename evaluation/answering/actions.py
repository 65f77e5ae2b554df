"""What somebody would do about a group, and how one gets it; all else is in ``action_rows``."""

from enum import Enum


class Action(Enum):
    """What somebody would do."""

    KEEP = "keep"
    SWITCH = "switch"
    """To another strategy."""
    MOVE = "move"
    """The fewest partitions that bring most of the gain."""
    START = "start"
    """The group's consumers."""
    RESTART = "restart"
    """The consumers that have stopped."""
    FIX_RECORD = "fix-record"
    RESET_OFFSETS = "reset-offsets"
    """Of a stopped group, to where its log is."""
    SPLIT_KEYS = "split-keys"
    ADD_CONSUMERS = "add-consumers"
    REMOVE_CONSUMERS = "remove-consumers"
    LOOK = "look"
    """At logs and settings, since the cause lies in the application."""
    BY_KIND = "by-kind"
    """What the rules of the group's own kind call for, as the text of the answer says."""
    ADD_SNAPSHOT = "add-snapshot"
    WAIT = "wait"


class Takes(Enum):
    """How one gets it."""

    NOTHING = "nothing"
    SETTING = "setting"
    """A property of the consumers."""
    BROKER = "broker"
    """``group.protocol=consumer``."""
    JAR = "jar"
    """An assignor of ours, or code of one's own, on every consumer."""
    HANDS = "hands"
    """Somebody does it."""
