"""Which consumers or topics are slow: they fall behind while others keep up. M members."""

from typing import Final

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray
from assignors.sums import float_sums
from evaluation.diagnosis.concentration import UNEVEN
from evaluation.diagnosis.findings import Finding, SlowConsumers, SlowTopic
from evaluation.diagnosis.sums import lag_of, numbers, owners_of, read_total
from evaluation.measuring.facts import PACE, Facts
from evaluation.measuring.offset_history import END, OffsetHistory, history_offsets
from evaluation.measuring.partition_times import PartitionTimes

_SLOW: Final = 0.8
"""A consumer is slow that reads no more than this share of what its peers read.

Two commits 5 s apart are a ninth of 45 s, by which the rates of equals differ.
"""


def slow_consumers(
    group: Group, times: PartitionTimes, facts: Facts, left: LongArray
) -> list[Finding]:
    """Return the consumers that read less than their peers, of those that own these partitions.

    A peer reads the same topics and keeps up, so that records cost it as much; a topic that one
    consumer alone reads cannot be told from that consumer. Much more to read than a peer reads is
    no slowness; and where most are slow, it is no matter of single hosts.
    """
    owners, members = group.present_owners, group.member_count
    held = np.flatnonzero((owners != UNOWNED) & group.is_wanted)
    arriving = float_sums(owners[held], np.nan_to_num(times.produced[held]), members)
    keeps_up = (facts.reading >= (1 - PACE) * arriving) & (facts.reading > 0) & ~facts.is_still
    is_behind = np.isin(np.arange(members), owners[left]) & facts.is_busy & ~facts.is_still
    falling, others = is_behind & ~keeps_up, np.full(members, np.nan)
    topics = _topics(group, held) if falling.any() else np.zeros((members, 0), np.bool_)
    shared = topics & (np.count_nonzero(topics, axis=0) > 1)
    for member in np.flatnonzero(falling & shared.any(axis=1)):
        peers = keeps_up & (shared == shared[member]).all(axis=1)
        if peers.any():
            others[member] = np.median(facts.reading[peers])
    is_slow = (facts.reading <= _SLOW * others) & (arriving < UNEVEN * others)
    slow = np.flatnonzero(is_slow)
    if not slow.size or slow.size > np.count_nonzero(keeps_up):
        return []
    theirs = left[np.isin(owners[left], slow)]
    return [_finding(group, times, theirs, (arriving[slow], facts.reading[slow], others[slow]))]


def slow_topics(
    group: Group, history: OffsetHistory, times: PartitionTimes, left: LongArray
) -> list[SlowTopic]:
    """Return the topics all of which is behind, whose consumers keep up with more of another.

    A consumer short of time reads as much of each partition, and all of one that gets less. One
    that reads more of another topic, and all of it, is short of no time: this topic's records are,
    unless they come in bursts, as of an hourly batch.
    """
    owners, topic = group.present_owners, group.topic_of_partition
    is_read = (owners != UNOWNED) & group.is_wanted & (times.produced > 0)
    done = np.zeros(group.member_count)
    keeps_up = np.flatnonzero(is_read & times.keeps_up)
    is_left, found = np.isin(np.arange(topic.size), left), []
    for each in np.unique(topic[left]):
        here = np.flatnonzero(is_read & (topic == each))
        arriving, reading = float(times.produced[here].sum()), read_total(times, here)
        beside = keeps_up[topic[keeps_up] != each]
        done[:] = 0
        np.fmax.at(done, owners[beside], times.consumed[beside])
        done_beside = done[owners[here]]
        is_less = (UNEVEN * times.consumed[here] <= done_beside) & (done_beside > 0)
        is_behind = is_left[here].all() and reading < (1 - PACE) * arriving
        if not (is_behind and is_less.all() and _is_steady(group, history, here)):
            continue
        beside = beside[np.isin(owners[beside], owners[here])]
        theirs = left[topic[left] == each]
        found.append(
            SlowTopic(
                members=owners_of(group, theirs),
                partitions=numbers(theirs),
                lag=lag_of(times, theirs),
                arriving=arriving,
                reading=reading,
                others=read_total(times, beside),
            )
        )
    return found


def _is_steady(group: Group, history: OffsetHistory, some: LongArray) -> bool:
    """Return whether about as much arrives in these partitions in every interval that tells it."""
    ends = history_offsets(group, history.moments)[:, END, some]
    seconds = np.diff(history.times_s)
    is_told = (ends[1:] != UNKNOWN).all(axis=1) & (ends[:-1] != UNKNOWN).all(axis=1) & (seconds > 0)
    rates = np.diff(ends, axis=0).sum(axis=1)[is_told] / seconds[is_told]
    return bool(not rates.size or rates.max() < UNEVEN * rates.min())


def _topics(group: Group, held: LongArray) -> BoolArray:
    """Return of which topics each member owns something; (M, topics)."""
    topics = np.zeros((group.member_count, len(group.topics)), np.bool_)
    topics[group.present_owners[held], group.topic_of_partition[held]] = True
    return topics


def _finding(
    group: Group,
    times: PartitionTimes,
    theirs: LongArray,
    rates: tuple[FloatArray, FloatArray, FloatArray],
) -> SlowConsumers:
    """Return the finding on slow consumers from three rates of each: in, out, and out of others."""
    arriving, reading, others = rates
    return SlowConsumers(
        members=owners_of(group, theirs),
        partitions=numbers(theirs),
        lag=lag_of(times, theirs),
        arriving=float(arriving.sum()),
        reading=float(reading.sum()),
        each=float(np.median(reading)) if reading.size > 1 else float("nan"),
        others=float(np.median(others)),
    )
