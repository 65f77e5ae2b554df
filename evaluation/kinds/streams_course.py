"""The course of a change in a Streams application: what restores, and how long it takes."""

from collections import Counter
from math import ceil
from typing import TypeAlias

from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from evaluation.kinds.board import Board, Role
from evaluation.kinds.forecast import RoundCause
from evaluation.kinds.view import KindView

Application: TypeAlias = StreamsApplication | StreamsGroup


def probing_of(view: KindView) -> int:
    """Return how many probing rebalances follow the change."""
    return sum(stage.cause is RoundCause.PROBING for stage in view.found.stages)


def balanced_s(view: KindView) -> float:
    """Return how long until the group is balanced.

    A probing rebalance finds copies restored or comes again an interval later; the copies that one
    instance restores at a time share its rate.
    """
    waited_s = 0.0
    for before, after in zip(view.found.stages, view.found.stages[1:], strict=False):
        if interval_s := after.at_s - before.at_s:
            restore_s = (view.restore_s or 0) * _most_warming(view.board(before.held))
            waited_s += interval_s * max(1, ceil(restore_s / interval_s))
    return waited_s


def without_copy(view: KindView) -> list[str]:
    """Return stateful tasks that run at once on an instance that held no copy of them."""
    had = {
        (each.home, block.name)
        for each in view.now.holders
        for block in each.blocks
        if block.role in {Role.STATEFUL, Role.STANDBY}
    }
    return sorted(
        block.name
        for each in view.at_once.holders
        if not each.is_gone
        for block in each.blocks
        if block.role is Role.STATEFUL and (each.home, block.name) not in had
    )


def to_warm(view: KindView) -> int:
    """Return how many stateful tasks run on another instance in the end."""
    homes = {b.name: each.home for each in view.now.holders for b in each.runs}
    return sum(
        homes.get(block.name) != each.home
        for each in view.then.holders
        if not each.is_gone
        for block in each.runs
        if block.role is Role.STATEFUL
    )


def _most_warming(board: Board) -> int:
    """Return how many copies one instance restores at a time, at most."""
    homes = Counter(e.home for e in board.holders for b in e.copies if b.role is Role.WARM_UP)
    return max(homes.values(), default=0)
