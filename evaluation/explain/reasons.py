"""Why an assignment comes out as it does: one sentence a strategy, computed from the data.

A sentence says what the strategy did to this group and names the members affected; every
figure in it is counted in the group and its owners, none is a guess.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import UNOWNED, BoolArray, Group, LongArray
from assignors.registry import Sees
from evaluation import facts, metrics
from evaluation.compare import NOW, Outcome
from evaluation.sums import exact_total
from evaluation.wording import listed, plural, without_uuids

_Reason: TypeAlias = Callable[[Group, Outcome], str]
_RACKS_ONLY_IF_UNEQUAL: Final = frozenset({"sticky-kafka-12464", "sticky-kafka-9987"})
_NAMED: Final = 3
"""So many names are listed; the rest are counted."""


def why(group: Group, outcome: Outcome) -> str:
    """Return one sentence on why the group comes out so under the outcome's strategy."""
    if outcome.name == NOW:
        return f"{_now(group, outcome)}."
    subscribers, wanted = facts.subscribers(group), int(np.count_nonzero(group.is_wanted))
    if not group.member_count:
        return "There is no consumer, so nothing is assigned."
    if not wanted:
        return "No consumer subscribes to a topic that has partitions: there is nothing to assign."
    if subscribers.size == 1:
        taken = "the only partition" if wanted == 1 else f"all {wanted} partitions"
        return f"{_listed(group, subscribers)} alone has topics to read, so it takes {taken}."
    return f"{_reason_of(outcome.name)(group, outcome)}{_racks(group, outcome)}."


def _range(group: Group, outcome: Outcome) -> str:
    extras, topics = facts.extra_topics(group, outcome.owners), facts.wanted_topics(group).size
    cut = "the topic" if topics == 1 else "each topic alone"
    start = f"{outcome.name} cuts {cut}{_static(group, outcome)}"
    if not facts.uneven_topics(group):
        divide = "it divides" if topics == 1 else f"all {topics} topics divide"
        return f"{start}, and {divide} evenly among the subscribers: {_spread(group, outcome)}"
    most = np.flatnonzero(extras == extras.max())
    who = f"{_listed(group, most)} {'takes' if most.size == 1 else 'take'} "
    if topics == 1:
        what = "the extra partition" if most.size == 1 else "one partition more"
    else:
        what = f"the extra partition of {extras.max()} of {topics} topics"
    return f"{start}, so {who}{what}: {_extremes(group, outcome)}"


def _roundrobin(group: Group, outcome: Outcome) -> str:
    subscribers = facts.subscribers(group)
    partitions = plural(int(np.count_nonzero(group.is_wanted)), "partition")
    turns = f"assigns {partitions} in turn to {subscribers.size} consumers"
    start = f"{outcome.name} {turns}{_static(group, outcome)}"
    if not facts.subscribe_alike(group):
        return f"{start}, passing over those that do not subscribe: {_extremes(group, outcome)}"
    sizes = group.topic_sizes[facts.wanted_topics(group)]
    if sizes.size > 1 and not (sizes % subscribers.size).any():
        return (
            f"{start}; every topic has a multiple of {subscribers.size} partitions, so a consumer "
            f"gets the same partition numbers of all {sizes.size} topics"
        )
    more = _above_least(group, outcome)
    extra = f", one more for {_listed(group, more)}" if more.size else ""
    return f"{start}{extra}: {_spread(group, outcome)}"


def _roundrobin_per_topic(group: Group, outcome: Outcome) -> str:
    topics = plural(facts.wanted_topics(group).size, "topic")
    start = f"{outcome.name} begins each of {topics} with the first subscriber again"
    return f"{start}: {_extremes(group, outcome)}"


def _static(group: Group, outcome: Outcome) -> str:
    """Say how static consumers are put in order, where the group has any."""
    if not any(group.instance_ids) or Sees.STATIC_IDS not in ALL_STRATEGIES[outcome.name].sees:
        return ""
    if outcome.name.startswith("librdkafka-"):
        return ", static consumers in order of their static ids among themselves"
    return ", static consumers first"


def _fair(group: Group, outcome: Outcome) -> str:
    fewest_so_far = "each partition to the consumer with the fewest so far"
    if facts.subscribe_alike(group):
        return f"fair gives {fewest_so_far}: {_spread(group, outcome)}"
    topics = facts.wanted_topics(group)
    heard_by = facts.audience_sizes(group)[topics]
    first = topics[np.lexsort((topics, -group.topic_sizes[topics], heard_by))[0]]
    return (
        f"fair serves topics with few subscribers first, here {group.topics[first]} with "
        f"{heard_by.min()}, and gives {fewest_so_far}: {_extremes(group, outcome)}"
    )


def _lag_based(group: Group, outcome: Outcome) -> str:
    largest = facts.largest_partitions(group)
    if not largest.size:
        spread = _spread(group, outcome)
        return f"lag-based finds no lag to go by, so it assigns each topic alone by count: {spread}"
    leads = np.bincount(outcome.owners[largest], minlength=group.member_count)
    leader = int(np.argmax(leads))
    lag = int(metrics.lag_per_member(group, outcome.owners)[leader])
    total = exact_total(group.counted_lags[group.is_wanted])
    share = f"ends with {lag:,} of {plural(total, 'record')}"
    if facts.wanted_topics(group).size == 1:
        name = group.partition_name(int(largest[0]))
        return (
            f"lag-based looks at counts first and at lag second: {_name(group, leader)} gets "
            f"{name}, the partition with most lag, and {share}"
        )
    return (
        f"lag-based starts its totals anew in each topic, so {_name(group, leader)} gets the "
        f"partition with most lag in {leads[leader]} of {plural(largest.size, 'topic')} that "
        f"have lag, and {share}"
    )


def _sticky(group: Group, outcome: Outcome) -> str:
    moved = outcome.figures.moved
    if outcome.name == "cooperative-sticky" and moved:
        between = "; what moves is without an owner between the two rounds"
        return f"{_kept(group, outcome)}{between}"
    return _kept(group, outcome)


def _uniform(group: Group, outcome: Outcome) -> str:
    more = _above_least(group, outcome)
    if not facts.subscribe_alike(group) or not more.size:
        return _kept(group, outcome)
    return (
        f"{_kept(group, outcome)}; one more goes to {_listed(group, more)}, where a real broker "
        "may choose others"
    )


def _now(group: Group, outcome: Outcome) -> str:
    figures = outcome.figures
    partitions = plural(group.partition_count, "partition")
    start = "As it is now, every partition has an owner"
    if figures.unowned:
        have = "has" if figures.unowned == 1 else "have"
        start = f"As it is now, {figures.unowned:,} of {partitions} {have} no owner"
    if figures.idle:
        have = "has" if figures.idle == 1 else "have"
        consumers = plural(group.member_count, "consumer")
        start += f" and {figures.idle:,} of {consumers} {have} no partitions"
    if not figures.max_lag:
        return start
    leader = int(np.argmax(metrics.lag_per_member(group, outcome.owners)))
    return f"{start}; {_name(group, leader)} has most lag, {plural(figures.max_lag, 'record')}"


def _lag_evened(group: Group, outcome: Outcome) -> str:
    topics = plural(facts.wanted_topics(group).size, "topic")
    if not outcome.figures.max_lag:
        return f"{outcome.name} finds no lag to go by, so it assigns {topics} by count alone"
    bounds = "even counts" if outcome.name == "lag-capped" else "nearly even counts"
    return (
        f"{outcome.name} adds up lag over {topics} under {bounds}, {_spread(group, outcome)}: "
        f"{_most_lag(group, outcome)}"
    )


def _lag_sticky(group: Group, outcome: Outcome) -> str:
    present = group.present_owners
    owned = int(np.count_nonzero(present != UNOWNED))
    if not owned:
        if not outcome.figures.max_lag:
            return "lag-sticky finds no present owners to keep and no lag, so it assigns by count"
        return (
            "lag-sticky finds no present owners to keep, so it assigns afresh by lag: "
            f"{_most_lag(group, outcome)}"
        )
    moved = int(np.count_nonzero(facts.moved_partitions(group, outcome.owners)))
    before, after = (
        int(metrics.lag_per_member(group, owners).max()) for owners in (present, outcome.owners)
    )
    change = f"goes from {before:,} to {after:,}" if before != after else f"stays at {after:,}"
    return (
        f"lag-sticky keeps {owned - moved:,} of {plural(owned, 'owned partition')} and moves "
        f"{moved or 'none'}: the largest lag {change}"
    )


def _most_lag(group: Group, outcome: Outcome) -> str:
    """Name the first of the members with most lag, and how much of all that is."""
    lags = metrics.lag_per_member(group, outcome.owners)
    leader = int(np.argmax(lags))
    total = exact_total(group.counted_lags[group.is_wanted])
    return f"{_name(group, leader)} has most, {lags[leader]:,} of {plural(total, 'record')}"


REASONS: Final[Mapping[str, _Reason]] = MappingProxyType(
    {
        "range": _range,
        "server-range": _range,
        "roundrobin": _roundrobin,
        "kafka-go-roundrobin": _roundrobin_per_topic,
        "fair": _fair,
        "lag-based": _lag_based,
        "sticky": _sticky,
        "cooperative-sticky": _sticky,
        "sticky-kafka-12464": _sticky,
        "sticky-kafka-9987": _sticky,
        "uniform": _uniform,
        "uniform-kafka-18688": _sticky,
        "lag-capped": _lag_evened,
        "lag-skew": _lag_evened,
        "lag-sticky": _lag_sticky,
    }
)
"""What makes one sentence, without its full stop, for each strategy by name; those of other
clients are told as Kafka's of that name are, unless they stand here."""


def _reason_of(name: str) -> _Reason:
    of_kafka = sorted(REASONS, key=len, reverse=True)
    return REASONS.get(name) or next(REASONS[n] for n in of_kafka if name.endswith(n))


def _kept(group: Group, outcome: Outcome) -> str:
    """Say what stays with its owner, what moves, and what that did to the counts."""
    present, owners = group.present_owners, outcome.owners
    after = _spread(group, outcome)
    moved = facts.moved_partitions(group, owners)
    owned, leaving = int(np.count_nonzero(present != UNOWNED)), int(np.count_nonzero(moved))
    if not owned:
        return f"{outcome.name} finds no present owners to keep, so it assigns afresh: {after}"
    new = int(np.count_nonzero((present == UNOWNED) & (owners != UNOWNED)))
    assigned = f" and assigns {new:,} that had no owner" if new else ""
    start = (
        f"{outcome.name} keeps {owned - leaving:,} of {plural(owned, 'owned partition')}{assigned}"
    )
    if not leaving:
        return f"{start}: {after}"
    before = _range_of(metrics.count_per_member(group, present)[facts.subscribers(group)])
    move = f"{leaving:,} {'moves' if leaving == 1 else 'move'}"
    causes = _causes(group, outcome.name, moved)
    return f"{start}; {move}{causes}: {after}, where it was {before}"


def _causes(group: Group, name: str, moved: BoolArray) -> str:
    """Say how many of the moved partitions could not or should not have stayed."""
    present, causes = group.present_owners, []
    unwanted = int(np.count_nonzero(moved & ~facts.is_subscribed(group, present)))
    off_rack = int(np.count_nonzero(moved & facts.is_off_rack(group, present)))
    if unwanted:
        causes.append(f"{unwanted:,} as the owner no longer subscribes")
    if off_rack and _sees_racks(group, name):
        causes.append(f"{off_rack:,} from an owner in another rack")
    return f" ({', '.join(causes)})" if causes else ""


def _racks(group: Group, outcome: Outcome) -> str:
    """Say whether the strategy looks at racks, where the group uses them."""
    off_rack = outcome.figures.off_rack
    if off_rack is None:
        return ""
    judged = plural(facts.judged_by_rack(group, outcome.owners), "partition")
    is_seen = _sees_racks(group, outcome.name)
    policy = "racks come after balance" if is_seen else "racks play no part"
    return f"; {policy}, and {off_rack:,} of {judged} {'is' if off_rack == 1 else 'are'} off-rack"


def _sees_racks(group: Group, name: str) -> bool:
    """Tell whether the strategy looks at racks in this group.

    The earlier sticky algorithms do so only where subscriptions differ, for there they are
    today's.
    """
    if name in _RACKS_ONLY_IF_UNEQUAL and facts.have_equal_subscriptions(group):
        return False
    return Sees.RACKS in ALL_STRATEGIES[name].sees


def _counts(group: Group, outcome: Outcome) -> LongArray:
    return metrics.count_per_member(group, outcome.owners)[facts.subscribers(group)]


def _above_least(group: Group, outcome: Outcome) -> LongArray:
    counts = _counts(group, outcome)
    return facts.subscribers(group)[np.flatnonzero(counts > counts.min())]


def _spread(group: Group, outcome: Outcome) -> str:
    return f"{_range_of(_counts(group, outcome))} a consumer"


def _range_of(counts: LongArray) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low}" if low == high else f"{low}-{high}"


def _extremes(group: Group, outcome: Outcome) -> str:
    """Name the first of the subscribers with most and with fewest partitions."""
    counts, subscribers = _counts(group, outcome), facts.subscribers(group)
    most, fewest = int(np.argmax(counts)), int(np.argmin(counts))
    if counts[most] == counts[fewest]:
        return _spread(group, outcome)
    return (
        f"{_name(group, int(subscribers[most]))} ends with {counts[most]}, "
        f"{_name(group, int(subscribers[fewest]))} with {counts[fewest]}"
    )


def _name(group: Group, member: int) -> str:
    return without_uuids(group.members)[member]


def _listed(group: Group, members: npt.NDArray[np.integer]) -> str:
    names = without_uuids(group.members)
    return listed([names[m] for m in members], most=_NAMED)
