"""Why fair and lag-based give a partition to its owner.

Both decide one partition after the other. A decision is derived anew from what the
candidates held when its turn came, which is what the decisions before it gave them.
"""

from assignors import ragged
from assignors.fair import fair, scarce_first
from assignors.lag.based import lag_based, most_lag_first
from assignors.model import Group
from assignors.quotas import held_by_each
from evaluation.explain.reasoning import (
    Reasoning,
    Step,
    Words,
    exact_lags,
    place_of,
    smallest_id,
    subscribers_of,
    to_emptiest,
)
from evaluation.wording import ordinal, plural


class Fair:
    """Gives to the subscriber with the fewest partitions so far, over all topics."""

    def __init__(self, group: Group) -> None:
        self._group, self._words = group, Words(group)
        self._owners = fair(group)
        topics = scarce_first(group)
        self.order = ragged.spans(group.topic_starts[topics], group.topic_starts[topics + 1])

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        group, words = self._group, self._words
        place = place_of(partition, self.order)
        counts = held_by_each(self._owners[self.order[:place]], group.member_count)
        subscribers = subscribers_of(group, partition)
        size = int(group.topic_sizes[group.topic_of_partition[partition]])
        position = (
            "Topics with the fewest subscribers come first, then the largest: "
            f"{words.topic(partition)} has {plural(subscribers.size, 'subscriber')} and "
            f"{plural(size, 'partition')}, so this is the "
            f"{ordinal(place + 1)} of {self.order.size:,} decisions."
        )
        held = "Of all topics, the subscribers hold {}."
        taker, decision = to_emptiest(words, subscribers, counts, held)
        return Reasoning(taker, (Step("Position", position), *decision))


class LagBased:
    """Gives to the fewest partitions, then the least lag, of this topic alone."""

    def __init__(self, group: Group) -> None:
        self._group, self._words = group, Words(group)
        self._owners = lag_based(group)
        order = most_lag_first(group)
        self.order = order[group.is_wanted[order]]

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        group, words = self._group, self._words
        topics = group.topic_of_partition
        of_topic = self.order[topics[self.order] == topics[partition]]
        place = place_of(partition, of_topic)
        counts = held_by_each(self._owners[of_topic[:place]], group.member_count)
        lags = exact_lags(group, self._owners, of_topic[:place])
        subscribers = subscribers_of(group, partition).tolist()
        standing = sorted(subscribers, key=lambda member: (counts[member], lags[member], member))
        taker = standing[0]
        fewest, least = int(counts[taker]), lags[taker]
        position = (
            f"{words.topic(partition)} is assigned alone, most lag first: with a lag of "
            f"{words.lag(partition)}, this is the {ordinal(place + 1)} of "
            f"{plural(of_topic.size, 'partition')}."
        )
        held = f"Of this topic, the subscribers hold {words.each(standing, counts[standing])}."
        steps = (Step("Position", position), Step("Held so far", held))
        candidates = [member for member in standing if counts[member] == fewest]
        if len(candidates) == 1:
            what = f"the fewest of this topic so far, {fewest:,}"
            return Reasoning(taker, (*steps, smallest_id(words, candidates, what)))
        carried = words.each(candidates, [lags[member] for member in candidates])
        so_far = f"Those with the fewest carry this lag of the topic: {carried}."
        equal = [member for member in candidates if lags[member] == least]
        what = f"{plural(fewest, 'partition')} of this topic and the least lag, {least:,}"
        return Reasoning(
            taker, (*steps, Step("Lag so far", so_far), smallest_id(words, equal, what))
        )
