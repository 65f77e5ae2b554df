"""Why an option is not proposed: one row a reason, with what it rests on and its words."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from evaluation.answering.templates import Sentence


class Ground(Enum):
    """What a reason against an option rests on."""

    CAUSE = "cause"
    """It holds whatever the option brings."""
    TEXT = "text"
    """The text leaves open what would decide."""
    FIGURES = "figures"
    """What the option brings, takes or costs."""
    PROPOSAL = "proposal"
    """Another option comes first."""


class WhyNot(Enum):
    """Why an option is not proposed; the value is written to JSON."""

    CAUSE_STANDS = "cause_stands"
    """There is a cause that no assignment helps."""
    CAUSE_OPEN = "cause_open"
    """One snapshot cannot tell why the lag is in few hands."""
    JUST_REBALANCED = "just_rebalanced"
    """Owners have just changed, which the lag may come from."""
    CAUSE_FIRST = "cause_first"
    """Its rebalances stop less, and something else makes the group rebalance again and again."""
    UNFOUNDED = "unfounded"
    """This client would not do what is shown."""
    NOT_SHIPPED = "not_shipped"
    """Only earlier releases of the client have it."""
    RESTS_ON_ASSUMPTION = "rests_on_assumption"
    """What it gains depends on what the text does not say."""
    NEVER_ENDS = "never_ends"
    """The backlog never clears under it."""
    TOO_LITTLE = "too_little"
    """It takes less than 5 % off the busiest consumer in 9 of 10 simulated restarts."""
    NEGLIGIBLE = "negligible"
    """No consumer is behind, or nearly full."""
    STOPS_ALL = "stops_all"
    """Its rebalances stop all consumers; today's pause only partitions that move."""
    ONE_SNAPSHOT = "one_snapshot"
    """It takes a jar, or its rebalances stop all, and one snapshot does not tell what stays."""
    ENDS_WITHOUT = "ends_without"
    """The backlog clears without it."""
    ONLY_BY_JAR = "only_by_jar"
    """No setting makes just these moves."""
    SETTING_FIRST = "setting_first"
    """It takes a jar, and a setting helps."""
    SWITCH_FIRST = "switch_first"
    """A switch is proposed, and it is none."""
    REBALANCE_FIRST = "rebalance_first"
    """A rebalance of what runs is nearly as good, and changes no setting."""
    MORE_LOAD = "more_load"
    """The busiest consumer has more under it."""
    MORE_MOVES = "more_moves"
    """It is nearly as good, and moves more."""
    MORE_STOPS = "more_stops"
    """It is nearly as good and moves as much, and its rebalances stop all consumers."""
    EQUAL = "equal"
    """It has the same figures as the proposal, which comes first in the list."""

    @property
    def ground(self) -> Ground:
        """What it rests on."""
        return REASONS[self].ground


class WhyNotRow(NamedTuple):
    """One reason."""

    ground: Ground
    sentence: Sentence
    """The end of a clause."""


REASONS: Final[Mapping[WhyNot, WhyNotRow]] = {
    WhyNot.CAUSE_STANDS: WhyNotRow(Ground.CAUSE, ("there is a cause that no assignment helps",)),
    WhyNot.CAUSE_OPEN: WhyNotRow(
        Ground.CAUSE, ("one snapshot cannot tell why the lag is in few hands",)
    ),
    WhyNot.JUST_REBALANCED: WhyNotRow(
        Ground.CAUSE, ("owners have just changed, and the lag may come from that",)
    ),
    WhyNot.CAUSE_FIRST: WhyNotRow(
        Ground.CAUSE,
        ("its rebalances pause only partitions that move, but what causes them comes first",),
    ),
    WhyNot.UNFOUNDED: WhyNotRow(Ground.CAUSE, ("this client would not do what is shown",)),
    WhyNot.NOT_SHIPPED: WhyNotRow(Ground.CAUSE, ("only earlier releases of the client have it",)),
    WhyNot.RESTS_ON_ASSUMPTION: WhyNotRow(
        Ground.TEXT, ("what it gains depends on what the text does not say",)
    ),
    WhyNot.NEVER_ENDS: WhyNotRow(Ground.FIGURES, ("the backlog never clears under it",)),
    WhyNot.TOO_LITTLE: WhyNotRow(
        Ground.FIGURES,
        (
            "any rebalance gives what nobody reads an owner; the busiest consumer then has {then}",
            "the busiest consumer gets {loss} more under it",
            "it takes 5 % off the busiest consumer in only {reliably} of simulated restarts",
            "it takes {gain} off the busiest consumer, and less than 5 % is not worth a switch",
            "it takes nothing off the busiest consumer",
        ),
    ),
    WhyNot.NEGLIGIBLE: WhyNotRow(Ground.FIGURES, ("no consumer is behind",)),
    WhyNot.STOPS_ALL: WhyNotRow(
        Ground.FIGURES,
        ("its rebalances stop all consumers; today's pause only partitions that move",),
    ),
    WhyNot.ONE_SNAPSHOT: WhyNotRow(
        Ground.TEXT, ("one snapshot does not tell whether the lag stays",)
    ),
    WhyNot.ENDS_WITHOUT: WhyNotRow(Ground.FIGURES, ("the backlog clears without it",)),
    WhyNot.ONLY_BY_JAR: WhyNotRow(Ground.FIGURES, ("no setting makes just these moves",)),
    WhyNot.SETTING_FIRST: WhyNotRow(
        Ground.PROPOSAL,
        (
            "it takes a jar; {first} takes {first_gain} off the busiest consumer without one",
            "it takes a jar; {first} needs none",
        ),
    ),
    WhyNot.SWITCH_FIRST: WhyNotRow(
        Ground.PROPOSAL,
        (
            "{first} comes first, which takes {first_gain} off the busiest consumer",
            "{first} comes first",
        ),
    ),
    WhyNot.REBALANCE_FIRST: WhyNotRow(
        Ground.PROPOSAL, ("{first} is nearly as even after a rebalance, without a switch",)
    ),
    WhyNot.MORE_LOAD: WhyNotRow(
        Ground.PROPOSAL, ("the busiest consumer gets {load}; under {first}, {first_load}",)
    ),
    WhyNot.MORE_MOVES: WhyNotRow(
        Ground.PROPOSAL, ("it moves {moved}; {first} is nearly as even and moves {first_moved}",)
    ),
    WhyNot.MORE_STOPS: WhyNotRow(
        Ground.PROPOSAL,
        ("its rebalances stop all consumers; those of {first}, which is nearly as even, do not",),
    ),
    WhyNot.EQUAL: WhyNotRow(Ground.PROPOSAL, ("{first} is as good and comes first",)),
}
"""Every reason has one."""
