"""Sizes of a group that is no consumer group, side by side: what each of them brings."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from assignors.connect.cluster import ConnectCluster
from assignors.share.preview import InconsistentMembersError
from evaluation.kinds.board import Role
from evaluation.kinds.forecast import NO_CHANGE, OtherMembers
from evaluation.kinds.said import more_of, spread_said
from evaluation.kinds.streams_course import balanced_s, without_copy
from evaluation.kinds.view import KindView, view_of

_MOST_LEAVERS: Final = 8
_MORE: Final = (1, 2, 4)


class KindChoice(NamedTuple):
    """What another size brings."""

    label: str
    moved: int
    """Tasks or partitions that start elsewhere at once."""
    warm_up: int
    rest_s: float
    """Until nothing moves any more, from when the change is noticed."""
    spread: str
    """How much each instance, worker or consumer then has."""
    idle: int
    """Members without work."""
    still: int
    """Tasks that do not run meanwhile: without a copy, or waiting for a lost worker."""
    what: OtherMembers = NO_CHANGE


def choices_of(view: KindView, leavers: Sequence[tuple[str, str]]) -> list[KindChoice]:
    """Return the group as it is, larger, and without each of those who could leave.

    Sizes on which Kafka 4.1 itself fails are left out.
    """
    noun = "worker" if isinstance(view.group, ConnectCluster) else "consumer"
    noun = "instance" if view.found.homes else noun
    found = [_choice("As it is", view)]
    for label, what in _asked(view, noun, leavers):
        with suppress(InconsistentMembersError):
            other = view_of(view.group, view.read, view.said, what, view.release)
            found.append(_choice(label, other))
    return found


def _asked(
    view: KindView, noun: str, leavers: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, OtherMembers]]:
    for more in _MORE:
        yield more_of(more, noun).capitalize(), OtherMembers(more=more)
    if view.found.homes:
        yield "One more thread per instance", OtherMembers(threads=1)
    if len(view.now.counts()) > 1:
        for name, label in leavers[:_MOST_LEAVERS]:
            yield f"Without {label[0].lower() + label[1:]}", OtherMembers(without=(name,))


def _choice(label: str, view: KindView) -> KindChoice:
    is_same = view.what_if == NO_CHANGE
    at_once = view.now if is_same else view.at_once
    then = view.now if is_same else view.then
    runs = {block.name for each in at_once.holders if not each.is_gone for block in each.runs}
    lost = sum(
        block.name not in runs and block.role is Role.TASK
        for each in at_once.holders
        if each.is_gone
        for block in each.runs
    )
    here = [each for each in then.holders if not each.is_gone]
    return KindChoice(
        label=label,
        moved=0 if is_same else len(view.moved),
        warm_up=sum(b.role is Role.WARM_UP for each in at_once.holders for b in each.blocks),
        rest_s=0 if is_same else max(balanced_s(view), view.found.wait_s),
        spread=spread_said(list(then.counts().values())),
        idle=sum(not each.runs for each in here),
        still=lost or (0 if is_same else len(without_copy(view))),
        what=view.what_if,
    )
