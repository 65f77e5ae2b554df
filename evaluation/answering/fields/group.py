"""The figures of a group that sentences name, whatever the verdict; unknown ones are absent."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from assignors.kinds import GroupKind, connector_of, task_number
from assignors.model import Group
from assignors.sums import exact_total
from evaluation.answering.answer import Answer
from evaluation.answering.fields.names import Fields
from evaluation.answering.naming import NAMED
from evaluation.diagnosis.findings import InstanceFenced, OffByOne, PollTimeout, TopicLeft
from evaluation.diagnosis.overload import too_heavy
from evaluation.measuring.offset_history import OFF_BY_ONE
from evaluation.metrics import count_per_member, nothing_committed
from evaluation.reading import ReadAgain
from evaluation.takes import Takes
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import (
    amount,
    duration,
    listed,
    plural,
)

_AGAIN: Final[Mapping[ReadAgain, Fields]] = {
    ReadAgain.BY_COMMAND: {},
    ReadAgain.ON_REQUEST: {"live": True},
    ReadAgain.BY_ITSELF: {"live": True, "watched": True},
}
_LONG_S: Final = 3600.0
"""Rates over so long say little of what is now."""
_NEARLY_ALL: Final = 0.99
"""The share of the lag that one partition holds alone."""
_MEMBERS_ALONE: Final = {GroupKind.SHARE, GroupKind.STREAMS_BROKER}
"""Kinds in which nobody reads who is no member, as a job that assigns partitions itself would."""
_SINKS: Final = "connect-"
"""How the groups of sink connectors are called, before the name of the connector."""
_ASSIGNED: Final = {GroupKind.CONSUMER, GroupKind.CONNECT_SINK, GroupKind.OFFSETS}
"""Kinds in which one could set another assignor."""
_NO_ASSIGNOR: Final = " Another assignor will not help."
_THREADED: Final = {GroupKind.STREAMS, GroupKind.STREAMS_BROKER}
_OF_LOAD: Final = {VerdictKind.LAG_UNKNOWN, VerdictKind.UNEVEN}
"""Verdicts to which lags would add what is missing."""


def group_in(answer: Answer) -> Fields:
    """Return what a group is and how many consumers, partitions and topics it has."""
    group, kind, is_counted = answer.group, answer.kind, answer.known.facts.is_counted
    count = int(np.count_nonzero(is_counted))
    found: Fields = {
        "members": plural(group.member_count, "consumer"),
        "partitions": plural(count, "partition"),
        "partitions_are": "is" if count == 1 else "are",
        "share_them": "has" if group.member_count == 1 else "share",
        "topics": plural(np.unique(group.topic_of_partition[is_counted]).size, "topic"),
        "group": group.id or "this group",
        "group_has": f"{group.id} has" if group.id else "This group has",
        "group_is": f"{group.id} is" if group.id else "This group is",
        "kind": kind.noun,
        "assigned_by": kind.assigned_by,
        "kind_advice": kind.advice,
        "member_noun": "thread" if kind in _THREADED else "consumer",
        "startable": "instances" if kind in _THREADED else "consumers",
        "no_assignor": _NO_ASSIGNOR if kind in _ASSIGNED else "",
        "members_count": f"{group.member_count:,}",
        "members_are": "is" if group.member_count == 1 else "are",
        "partitions_count": f"{count:,}",
    }
    if kind in _MEMBERS_ALONE:
        found["members_alone"] = True
    if kind is GroupKind.OFFSETS and (sink := group.id.removeprefix(_SINKS)) != group.id:
        found["maybe_sink"] = sink
    if group.member_count:
        return {**found, "some_named": True}
    return {**found, "no_members": True, "empty": True, **_by_topic(group)}


def _of_facts(answer: Answer) -> Fields:
    """Return how far apart snapshots are, and are to be, and whether any lag is known."""
    found: Fields = {"later": duration(answer.facts.stands_s)}
    if answer.facts.span_s >= _LONG_S:  # NaN is not
        found["long_span"] = duration(answer.facts.span_s)
    if not answer.group.is_lag_known.any():
        found["nothing_known"] = True
    return found


def known_in(answer: Answer) -> Fields:
    """Return what is known of a group, and what is not."""
    group, found = answer.group, _of_facts(answer)
    if (alone := _alone(group)) is not None:
        found["alone"] = group.partition_name(alone)
    found |= {} if answer.known.history.has_several else {"single": True}
    is_unknown = answer.verdict.kind in _OF_LOAD and not group.is_lag_known.any()
    if is_unknown and group.offsets.end is None:  # else it is such a text, with dashes for lags
        found["no_lags"] = True
    if answer.now is None:
        found["fresh"] = True
    elif np.ptp(count_per_member(group, answer.now.owners)) <= 1:
        found["counts_even"] = True
    if any(isinstance(each, OffByOne) for each in answer.findings):
        found["off_by_one"] = True
    found |= _AGAIN[answer.given.again] | _paused(answer)
    found |= _owners_unknown(answer) | _lags_unknown(group) | _unread(answer) | _logged(answer)
    if _needs_partitions(answer):
        found["needs_partitions"] = True
    if answer.given.lacking:
        found["lacking"] = answer.given.lacking
    if answer.verdict.look_at:
        found["look_at"] = f"look at {listed([each.value for each in answer.verdict.look_at])}"
    return found


def _paused(answer: Answer) -> Fields:
    """Return how far commits are apart, where all that waits is what came since the last."""
    times = answer.known.times
    waits = np.nan_to_num(times.lag) > OFF_BY_ONE
    if times.pauses is None or not waits.any() or not times.keeps_up[waits].all():
        return {}
    apart_s = float(times.pauses.longest_s[waits & times.pauses.are_usual].max(initial=0.0))
    return {"paused": duration(apart_s)} if apart_s else {}


def _owners_unknown(answer: Answer) -> Fields:
    """Return of how many partitions the text does not name the owner; {} if of none."""
    group = answer.group
    found: Fields = {"open": True} if answer.verdict.kind is VerdictKind.OWNERS_UNKNOWN else {}
    unknown = int(np.count_nonzero(group.is_owner_unknown))
    if unknown:
        found["owners_unknown"] = f"{unknown:,}"
    if unknown and unknown == group.partition_count:
        found["all_unknown"] = True
    return found


def _unread(answer: Answer) -> Fields:
    """Return the topics that nobody reads, where the verdict is about them."""
    if answer.verdict.kind is not VerdictKind.TOPIC_UNREAD:
        return {}
    unread = [each for each in answer.findings if isinstance(each, TopicLeft)]
    names = [topic for each in unread for topic in each.topics]
    return {"unread_topics": listed(names, NAMED)} if names else {}


def _logged(answer: Answer) -> Fields:
    """Return the consumers that left by their logs, by why they did."""
    found: Fields = {}
    for each in answer.findings:
        if isinstance(each, InstanceFenced):
            found["fenced"] = listed(each.consumers, NAMED)
        elif isinstance(each, PollTimeout):
            found["late"] = listed(each.consumers, NAMED)
    return found


def _lags_unknown(group: Group) -> Fields:
    """Return of how many partitions the lag is known, and where nothing is committed."""
    known = int(np.count_nonzero(group.is_lag_known))
    if known == group.partition_count:
        return {}
    found: Fields = {"lags_known": f"{known:,}"} if known else {}
    held = nothing_committed(group)
    if held.any():
        bare = np.flatnonzero(held).tolist()
        found["bare"] = listed([group.partition_name(each) for each in bare], NAMED)
        found["bare_records"] = plural(int(held.sum()), "record")
        if known and group.counted_lags.any():
            found["bare_decides"] = True
    return found


def _by_topic(group: Group) -> Fields:
    """Return what waits in each of several topics, the most first."""
    if len(group.topics) <= 1:
        return {}
    lags = [
        exact_total(group.counted_lags[group.topic_of_partition == t])
        for t in range(len(group.topics))
    ]
    most = sorted(range(len(lags)), key=lambda topic: -lags[topic])
    waiting = [f"{group.topics[t]} {amount(lags[t])}" for t in most if lags[t]]
    return {"by_topic": listed(waiting, NAMED)} if waiting else {}


def _alone(group: Group) -> int | None:
    """Return the partition that holds nearly all lag of a group that has others; else None."""
    lags = group.counted_lags
    if lags.size <= 1 or not group.is_lag_known.all():
        return None
    most = int(np.argmax(lags))
    return most if lags[most] > _NEARLY_ALL * exact_total(lags) else None


def sink_in(answer: Answer) -> Fields:
    """Return what is said of a sink connector's consumers: its tasks, today and as proposed."""
    group, option = answer.group, answer.proposal
    if answer.kind is not GroupKind.CONNECT_SINK:
        return {}
    ids = group.layout.client_ids
    connector = connector_of({ids.get(each, each) for each in group.members})
    found = {"connector": connector} | _tasks_in(answer, connector)
    found["tasks_now"] = f"{group.member_count:,}"
    if option is not None and option.consumers is not None:
        found["tasks_then"] = f"{option.consumers:,}"
    if option is not None and option.takes is Takes.SETTING:
        found["by_setting"] = True
    return found


def _tasks_in(answer: Answer, connector: str) -> Fields:
    """Return which tasks of a connector the verdict is about, and the call that restarts one."""
    group = answer.group
    ids = [group.members[m] for m in answer.verdict.members]
    tasks = sorted({task_number(group.layout.client_ids.get(each, each)) or 0 for each in ids})
    if not connector or not tasks:
        return {}
    noun, path = ("task", f"{tasks[0]}") if len(tasks) == 1 else ("tasks", "TASK")
    return {
        "these": f"{noun} {listed([str(each) for each in tasks], NAMED)} of {connector}",
        "restart_call": f"POST /connectors/{connector}/tasks/{path}/restart",
    }


def _needs_partitions(answer: Answer) -> bool:
    """Return whether further consumers would get no partition, or one that is too heavy."""
    group, facts = answer.group, answer.known.facts
    has_one_each = group.member_count >= int(np.count_nonzero(group.is_wanted))
    return has_one_each or bool(too_heavy(group, facts).size)
