"""The answer on a group, for programs; ``from assignors import answer``."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from assignors.kinds import GroupKind
from assignors.model import UNKNOWN, Group
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Given, Statements
from evaluation.answering.way_out import way_out_of
from evaluation.assuming.clients import JAVA, client_called, recognised
from evaluation.measuring.offset_history import (
    BEGIN,
    COMMITTED,
    END,
    Moment,
    OffsetHistory,
    history_offsets,
)
from evaluation.stated import InvalidArgumentError, require_a


def answer(
    group: Group | Given,
    *,
    history: OffsetHistory | Sequence[Moment] | None = None,
    stated: Statements | None = None,
    client: str | None = None,
    kind: GroupKind | None = None,
) -> Answer:
    """Return what is the matter with a group, what could be done, and what is proposed.

    A group that ``read`` found in a text brings its history, client and kind; what is given here
    counts instead. ``history`` holds earlier snapshots, oldest first, from which rates are
    measured, and the group itself last; ``stated`` is what you know beside them. ``client`` names
    the consumers' library; by default it is the one that their ids give away, else Java's.
    Switches are simulated, which takes up to some seconds for thousands of partitions.

    Raises InvalidArgumentError for another kind of argument, for moments in another order, and
    where ``judge_by`` needs unknown rates; UnknownClientError; ForeignStrategyError if the client
    does not have the strategy that the group is said to run; and InvalidAssignmentError if a
    strategy breaks a rule.

    >>> lags = [9_000, 8_000, 4_000, 3_000]
    >>> group = Group.of(["t"], [4], ["a", "b"], owners=[0, 0, 1, 1], lags=lags)
    >>> found = answer(group, stated=Statements(arriving=60.0, judge_by="lag"))
    >>> found.verdict.kind.value, found.proposal.strategy.name, found.proposal.busiest
    ('uneven', 'roundrobin', 13000)
    """
    require_a(Group | Given, "group", group, way_out_of(group))
    require_a(Statements | None, "stated", stated, "write stated=Statements(speed=50.0)")
    require_a(GroupKind | None, "kind", kind, "take one, such as GroupKind.SHARE")
    given = group if isinstance(group, Given) else _given_of(group)
    found = answer_of(
        replace(
            given,
            history=given.history if history is None else _history_of(given.group, history),
            client=given.client if client is None else client_called(client),
            kind=kind or given.kind,
            stated=stated or given.stated,
        )
    )
    asked = found.given.stated.judges_by
    is_judged = found.kind.runs_consumer_strategies
    if asked is not None and is_judged and found.known.measure.by is not asked:
        message = (
            f"judge_by={asked.value!r} needs the arrival rate: state arriving=, or give a history "
            "of two moments with end offsets"
        )
        raise InvalidArgumentError(message)
    return found


def _given_of(group: Group) -> Given:
    known = recognised(group)
    return Given(group=group, client=JAVA if known is None else known.client)


def _history_of(group: Group, given: OffsetHistory | Sequence[Moment]) -> OffsetHistory:
    """Return the history, if it is one, in order, and ends with the group."""
    require_a(OffsetHistory | Sequence, "history", given, "write history=[Moment.of(group, 0.0)]")
    moments = tuple(given.moments if isinstance(given, OffsetHistory) else given)
    for number, moment in enumerate(moments):
        way_out = "Moment.of(group, at_s) makes one of a group"
        require_a(Moment, f"history[{number}]", moment, way_out)
    for number, (one, other) in enumerate(pairwise(moments), start=1):
        if other.at_s <= one.at_s:
            message = (
                f"history must be oldest first: history[{number}] is at {other.at_s:,.0f} s, "
                f"history[{number - 1}] at {one.at_s:,.0f} s; sort the moments by at_s"
            )
            raise InvalidArgumentError(message)
    for number, moment in enumerate(moments):
        if not _may_precede(moment, group):
            message = (
                f"history[{number}] is of another group: it has no topic of this one, or more "
                "partitions of a topic; make each moment of an earlier snapshot of the group itself"
            )
            raise InvalidArgumentError(message)
    if moments and not _is_of(moments[-1], group):
        message = (
            "history must end with the group itself: add Moment.of(group, at_s) as its last moment"
        )
        raise InvalidArgumentError(message)
    return given if isinstance(given, OffsetHistory) else OffsetHistory(moments)


def _sizes(group: Group) -> dict[str, int]:
    return dict(zip(group.topics, group.topic_sizes.tolist(), strict=True))


def _may_precede(moment: Moment, group: Group) -> bool:
    """Return whether it may be the same group earlier: topics come and go, partitions only come."""
    sizes = _sizes(group)
    shared = moment.topics.keys() & sizes.keys()
    is_related = bool(shared) or not moment.topics or not sizes
    return is_related and all(moment.topics[each].shape[1] <= sizes[each] for each in shared)


def _is_of(moment: Moment, group: Group) -> bool:
    """Return whether a moment has the group's layout, and its offsets and lags where both know."""
    sizes = _sizes(group)
    if any(rows.shape[1] not in {0, sizes.get(name)} for name, rows in moment.topics.items()):
        return False
    if group.offsets.end is None and group.offsets.committed is None:
        return _has_lags_of(moment, group)
    (told,) = history_offsets(group, [moment])
    (own,) = history_offsets(group, [Moment.of(group, moment.at_s)])
    is_known = (told != UNKNOWN) & (own != UNKNOWN)
    return bool(((told == own) | ~is_known)[[END, COMMITTED]].all())


def _has_lags_of(moment: Moment, group: Group) -> bool:
    """Return whether a moment's offsets make the lags of a group that knows no offsets."""
    (told,) = history_offsets(group, [moment])
    is_known = (told[END] != UNKNOWN) & (told[COMMITTED] != UNKNOWN) & group.is_lag_known
    first = np.maximum(told[COMMITTED], told[BEGIN])  # records deleted unread do not wait
    behind = np.maximum(told[END] - first, 0)
    return bool(((behind == group.counted_lags) | ~is_known).all())
