"""Why a group comes out as it does under each strategy: one sentence, computed from the data.

A sentence says what the strategy did to this group and names the affected members; every figure
in it is counted, none is a guess.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from assignors.clients.registry import OTHER_CLIENTS
from assignors.model import UNOWNED, BoolArray, Group, LongArray
from assignors.registry import STRATEGIES
from assignors.strategy import Family, Promise, Protocol, Sees, Strategy
from assignors.sums import exact_total
from evaluation import metrics
from evaluation.comparing.outcomes import Outcome
from evaluation.consumer_labels import labels_of
from evaluation.explain import counts
from evaluation.judging import LAG, JudgeBy, Measure
from evaluation.moves import is_moved
from evaluation.wording import listed, plural

_RACKS_ONLY_IF_UNEQUAL: Final = (STRATEGIES["sticky-kafka-12464"], STRATEGIES["sticky-kafka-9987"])
_IN_RUNS: Final = (OTHER_CLIENTS["kafka-python-range"], OTHER_CLIENTS["kafka-python-roundrobin"])
_NAMED: Final = 3
"""A sentence lists up to this many names and counts the rest."""


def reason_for(
    group: Group, outcome: Outcome, measure: Measure = LAG, *, is_named: bool = True
) -> str:
    """Return one sentence on why the group comes out so under the outcome's strategy.

    ``measure`` is what the group's weights are; without its name, the sentence says why beside it.
    """
    strategy = outcome.strategy
    if strategy is None:
        now = _now(group, outcome, measure)
        return f"As it is now, {now}." if is_named else f"{now[0].upper()}{now[1:]}."
    if not group.member_count:
        return "There is no consumer, so nothing is assigned."
    case = _Case(group, outcome, strategy, measure)
    wanted = int(np.count_nonzero(group.is_wanted))
    if not wanted:
        return "No consumer subscribes to a topic that has partitions: there is nothing to assign."
    if case.subscribers.size == 1:
        taken = "the only partition" if wanted == 1 else f"{_all(wanted)} partitions"
        return f"{case.listed(case.subscribers)} alone has topics to read, so it takes {taken}."
    reason = f"{_reason_of(case)(case)}{_racks(case)}."
    return f"{outcome.name} {reason}" if is_named else f"{reason[0].upper()}{reason[1:]}"


class _Case:
    """One outcome of one group, with the phrases that many sentences need."""

    def __init__(
        self, group: Group, outcome: Outcome, strategy: Strategy, measure: Measure
    ) -> None:
        self.group, self.outcome, self.owners = group, outcome, outcome.owners
        self.strategy, self.measure = strategy, measure
        self.subscribers = group.layout.taking_part.astype(np.int64)
        self.topics = group.layout.wanted_topics
        self.counts = metrics.count_per_member(group, outcome.owners)[self.subscribers]
        self.names = labels_of(group)

    @property
    def above_least(self) -> LongArray:
        members: LongArray = self.subscribers[np.flatnonzero(self.counts > self.counts.min())]
        return members

    @property
    def spread(self) -> str:
        return f"{_range_of(self.counts)} a consumer"

    @property
    def extremes(self) -> str:
        """Name the first subscribers with the most and the fewest partitions."""
        most, fewest = int(np.argmax(self.counts)), int(np.argmin(self.counts))
        if self.counts[most] == self.counts[fewest]:
            return self.spread
        first, last = (self.names[int(self.subscribers[n])] for n in (most, fewest))
        return f"{first} ends with {self.counts[most]}, {last} with {self.counts[fewest]}"

    @property
    def most_lag(self) -> str:
        """Name the first member with the most lag, and its part of the total."""
        lags = metrics.load_per_member(self.group, self.owners)
        leader = int(np.argmax(lags))
        return f"{self.names[leader]} has the most, {lags[leader]:,} of {self.records}"

    @property
    def records(self) -> str:
        return _weight(exact_total(self.group.counted_weights[self.group.is_wanted]), self.measure)

    @property
    def moved(self) -> int:
        """How many partitions leave their owner; of a switch, the median of the draws."""
        if self.outcome.outlook is not None:
            return self.outcome.figures.moved or 0
        return int(np.count_nonzero(is_moved(self.group.present_owners, self.owners)))

    def listed(self, members: LongArray) -> str:
        return listed([self.names[m] for m in members], most=_NAMED)


_Reason: TypeAlias = Callable[[_Case], str]


def _range(case: _Case) -> str:
    extras, topics = counts.extra_topics(case.group, case.owners), case.topics.size
    start = f"cuts {'the topic' if topics == 1 else 'each topic alone'}{_static(case)}"
    if not counts.uneven_topics(case.group):
        divide = "it divides" if topics == 1 else f"{_all(topics)} topics divide"
        return f"{start}, and {divide} evenly among the subscribers: {case.spread}"
    most = np.flatnonzero(extras == extras.max())
    what = f"the extra partition of {extras.max()} of {topics} topics"
    if topics == 1:
        what = "the extra partition" if most.size == 1 else "one partition more"
    take = "takes" if most.size == 1 else "take"
    return f"{start}, so {case.listed(most)} {take} {what}: {case.extremes}"


def _roundrobin(case: _Case) -> str:
    group, consumers = case.group, case.subscribers.size
    partitions = plural(int(np.count_nonzero(group.is_wanted)), "partition")
    start = f"assigns {partitions} in turn to {consumers} consumers{_static(case)}"
    if not group.layout.subscribe_alike:
        return f"{start}, skipping those that do not subscribe: {case.extremes}"
    sizes = group.topic_sizes[case.topics]
    if sizes.size > 1 and not (sizes % consumers).any():
        return (
            f"{start}; every topic has a multiple of {consumers} partitions, so a consumer "
            f"gets the same partition numbers of {_all(sizes.size)} topics"
        )
    more = case.above_least
    extra = f", one more for {case.listed(more)}" if more.size else ""
    return f"{start}{extra}: {case.spread}"


def _roundrobin_per_topic(case: _Case) -> str:
    topics = plural(case.topics.size, "topic")
    return f"starts each of {topics} with the first subscriber again: {case.extremes}"


def _last_runs(case: _Case) -> str:
    """Describe how kafka-python treats static among dynamic consumers."""
    groups = "groups static and other consumers without sorting them first"
    return f"{groups}, so only the last run of each kind gets anything: {case.extremes}"


def _static(case: _Case) -> str:
    """Describe the order of static consumers, if the group has any."""
    if not any(case.group.layout.instance_ids) or Sees.STATIC_IDS not in case.strategy.sees:
        return ""
    if case.strategy.client == "librdkafka":
        return ", static consumers in order of their static ids among themselves"
    return ", static consumers first"


def _fair(case: _Case) -> str:
    group, topics = case.group, case.topics
    gives = "gives each partition to the consumer with the fewest so far"
    if group.layout.subscribe_alike:
        return f"{gives}: {case.spread}"
    subscribers = group.audiences.sizes[topics]
    first = topics[np.lexsort((topics, -group.topic_sizes[topics], subscribers))[0]]
    return (
        f"serves topics with few subscribers first, here {group.topics[first]} with "
        f"{subscribers.min()}, and {gives}: {case.extremes}"
    )


def _lag_based(case: _Case) -> str:
    group, largest = case.group, counts.largest_partitions(case.group)
    if not largest.size:
        none = f"has no {case.measure.noun} to balance"
        return f"{none}, so it assigns each topic alone by count: {case.spread}"
    leads = np.bincount(case.owners[largest], minlength=group.member_count)
    leader = int(np.argmax(leads))
    lag = int(metrics.load_per_member(group, case.owners)[leader])
    who, share = case.names[leader], f"ends with {lag:,} of {case.records}"
    noun = case.measure.noun
    if case.topics.size == 1:
        return (
            f"considers counts first and {noun} second: {who} gets "
            f"{group.partition_name(int(largest[0]))}, the partition with the most {noun}, "
            f"and {share}"
        )
    return (
        f"restarts its totals in each topic, so {who} gets the partition with the most {noun} in "
        f"{leads[leader]} of {plural(largest.size, 'topic')} that have {noun}, and {share}"
    )


def _sticky(case: _Case) -> str:
    """Describe what stays with its owner, what moves, and the effect on the counts."""
    group, present, owners = case.group, case.group.present_owners, case.owners
    moved = is_moved(present, owners)
    owned, leaving = int(np.count_nonzero(present != UNOWNED)), case.moved
    if not owned:
        return f"has no present owners to keep, so it assigns from scratch: {case.spread}"
    new = int(np.count_nonzero((present == UNOWNED) & (owners != UNOWNED)))
    assigned = f" and assigns {new:,} that had no owner" if new else ""
    start = f"keeps {owned - leaving:,} of {plural(owned, 'owned partition')}{assigned}"
    if not leaving or case.outcome.outlook is not None:
        return f"{start}: {case.spread}"
    before = _range_of(metrics.count_per_member(group, present)[case.subscribers])
    move = f"{leaving:,} {'moves' if leaving == 1 else 'move'}{_causes(case, moved)}"
    text = f"{start}; {move}: {case.spread}, where it was {before}"
    if case.strategy.protocol is Protocol.COOPERATIVE:
        text += "; what moves has no owner between the two rounds"
    return text


def _uniform(case: _Case) -> str:
    more = case.above_least
    if not case.group.layout.subscribe_alike or not more.size:
        return _sticky(case)
    one_more = f"one more goes to {case.listed(more)}, where a real broker may choose others"
    return f"{_sticky(case)}; {one_more}"


def _causes(case: _Case, moved: BoolArray) -> str:
    """Describe how many of the moved partitions could not or should not have stayed."""
    group, present, causes = case.group, case.group.present_owners, []
    unwanted = int(np.count_nonzero(moved[counts.unsubscribed(group, present)]))
    is_known, is_local = metrics.rack_local(group, present)
    off_rack = int(np.count_nonzero(moved & is_known & ~is_local))
    if unwanted:
        causes.append(f"{unwanted:,} as the owner no longer subscribes")
    if off_rack and _sees_racks(case):
        causes.append(f"{off_rack:,} from an owner in another rack")
    return f" ({', '.join(causes)})" if causes else ""


def _lag_evened(case: _Case) -> str:
    topics, noun = plural(case.topics.size, "topic"), case.measure.noun
    if not case.outcome.figures.max_load:
        return f"has no {noun} to balance, so it assigns {topics} by count alone"
    is_even = Promise.BALANCED in case.strategy.promises
    counts = "even counts" if is_even else "nearly even counts"
    return f"adds up {noun} over {topics} under {counts}, {case.spread}: {case.most_lag}"


def _load_sticky(case: _Case) -> str:
    group, present, noun = case.group, case.group.present_owners, case.measure.noun
    owned, moved = int(np.count_nonzero(present != UNOWNED)), case.moved
    if not owned and not case.outcome.figures.max_load:
        return f"has no present owners to keep and no {noun}, so it assigns by count"
    if not owned:
        scratch = f"so it assigns from scratch by {noun}"
        return f"has no present owners to keep, {scratch}: {case.most_lag}"
    before, after = (
        int(metrics.load_per_member(group, owners).max()) for owners in (present, case.owners)
    )
    most = "largest lag" if case.measure.by is JudgeBy.LAG else f"most {noun}"
    change = f"goes from {before:,} to {after:,}" if before != after else f"stays at {after:,}"
    return (
        f"keeps {owned - moved:,} of {plural(owned, 'owned partition')} and moves "
        f"{moved or 'none'}: the {most} {change}"
    )


def _by_figures(case: _Case) -> str:
    """Describe the result of a strategy about whose algorithm nothing is known."""
    counts = f"gives its consumers {case.spread.removesuffix(' a consumer')} partitions each"
    return f"{counts}; {case.most_lag}" if case.outcome.figures.max_load else counts


def _weight(total: int, measure: Measure) -> str:
    """Return an amount in the unit of the measure: "1 record"."""
    return plural(total, "record") if measure == LAG else f"{total:,} {measure.unit}"


def _now(group: Group, outcome: Outcome, measure: Measure) -> str:
    figures = outcome.figures
    start = "every partition has an owner"
    if figures.unowned:
        have = "has" if figures.unowned == 1 else "have"
        partitions = plural(group.partition_count, "partition")
        start = f"{figures.unowned:,} of {partitions} {have} no owner"
    if figures.idle:
        have = "has" if figures.idle == 1 else "have"
        consumers = plural(group.member_count, "consumer")
        start += f" and {figures.idle:,} of {consumers} {have} no partitions"
    if not figures.max_load:
        return start
    leader = int(np.argmax(metrics.load_per_member(group, outcome.owners)))
    name = labels_of(group)[leader]
    most = _weight(figures.max_load, measure).removesuffix(f" {measure.noun}")
    return f"{start}; {name} has the most {measure.noun}, {most}"


_REASONS: Final[Mapping[Family | None, _Reason]] = MappingProxyType(
    {
        None: _by_figures,
        Family.RANGE: _range,
        Family.ROUND_ROBIN: _roundrobin,
        Family.ROUND_ROBIN_PER_TOPIC: _roundrobin_per_topic,
        Family.FAIR: _fair,
        Family.LAG_BASED: _lag_based,
        Family.STICKY: _sticky,
        Family.UNIFORM: _uniform,
        Family.LAG_EVENED: _lag_evened,
        Family.LOAD_STICKY: _load_sticky,
    }
)
"""The function that makes the sentence of each family, without the name and the full stop."""


def _reason_of(case: _Case) -> _Reason:
    is_static = [static is not None for static in case.group.layout.instance_ids]
    if case.strategy in _IN_RUNS and any(is_static) and not all(is_static):
        return _last_runs
    return _REASONS[case.strategy.family]


def _racks(case: _Case) -> str:
    """Describe whether the strategy considers racks, if the group uses them."""
    off_rack = case.outcome.figures.off_rack
    if off_rack is None:
        return ""
    is_known, _ = metrics.rack_local(case.group, case.owners)
    judged = plural(int(np.count_nonzero(is_known)), "partition")
    policy = "racks come after balance" if _sees_racks(case) else "racks play no part"
    return f"; {policy}, and {off_rack:,} of {judged} {'is' if off_rack == 1 else 'are'} off-rack"


def _sees_racks(case: _Case) -> bool:
    """Return whether the strategy considers racks in this group.

    The earlier sticky algorithms do so only with unequal subscriptions, where they are today's.
    """
    if case.group.layout.has_equal_subscriptions and case.strategy in _RACKS_ONLY_IF_UNEQUAL:
        return False
    return Sees.RACKS in case.strategy.sees


def _all(number: int) -> str:
    return "both" if number == 2 else f"all {number:,}"  # noqa: PLR2004


def _range_of(counts: LongArray) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low}" if low == high else f"{low}-{high}"
