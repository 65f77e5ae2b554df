"""Where Kafka's sticky classes fail, or assign what nobody may own: known for 3.7.1 to 4.4.0.

A strategy's answer follows the protocol even there; what the class does instead is said beside it.
"""

from typing import Final

import numpy as np

from assignors.certainty import EXACT, Certainty, Known
from assignors.memo import memo
from assignors.model import UNOWNED, Group, Owners
from assignors.sticky.claims import resolved_claims
from assignors.sticky.constrained import constrained
from assignors.sticky.general import general
from assignors.sticky.kafka import is_constrained, seem_equal

_NAMED: Final = 3
FAILS: Final = Certainty(
    Known.FAILS,
    "Kafka throws NullPointerException here, and the group does not rebalance: a consumer that can "
    "take part in no move claims, in an older generation, what another one holds. Shown is the "
    "assignment without that claim.",
)


@memo
def of_kafka_sticky(group: Group) -> Certainty:
    """Return how certain Kafka's sticky assignment of this group is.

    Not exact if a member claims a partition that does not exist, if Kafka wrongly takes the
    subscriptions as equal, or if the general path fails or gives a partition back to an earlier
    owner that does not subscribe any more.
    """
    gone = _vanished(group)
    if gone:
        return Certainty(
            Known.NOT_PREDICTABLE,
            f"{_listed(gone)}, which no longer exists, is still claimed. Kafka counts such a "
            "partition as owned: it throws IllegalStateException, or gives the others different "
            "partitions. Shown is the assignment without it.",
        )
    if not group.wanted.size or is_constrained(group):
        return EXACT
    if seem_equal(group.layout):
        return _unruly(
            group,
            constrained(group, resolved_claims(group)),
            "It compares every subscription with the first in its own order of consumers that is "
            "not empty, by length and topics alone, and takes these as equal.",
        )
    found = general(group, resolved_claims(group))
    if found.fails:
        return FAILS
    if found.unruly is not None:
        return _unruly(
            group, found.unruly, "It gives partitions back to consumers that had them before."
        )
    return EXACT


def _vanished(group: Group) -> list[str]:
    """Return the claimed partitions that do not exist, of wanted topics that do."""
    wanted = {group.topics[topic] for topic in group.layout.wanted_topics.tolist()}
    return [f"{topic}-{number}" for _, topic, number in group.claims.vanished if topic in wanted]


def _unruly(group: Group, owners: Owners, because: str) -> Certainty:
    held = np.flatnonzero(owners != UNOWNED)
    wrong = held[~group.layout.may_own(owners[held], held)].tolist()
    pairs = [f"{group.members[owners[p]]} for {group.partition_name(p)}" for p in wrong]
    return Certainty(
        Known.BREAKS_THE_RULES,
        f"Kafka chooses consumers that do not subscribe: {_listed(pairs)}. {because} Shown is an "
        "assignment that follows the protocol.",
    )


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
