"""Everything that a page, a report or a program says of a group that is no consumer group."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from assignors.model import Group
from assignors.streams.application import StreamsApplication
from assignors.streams.tasks import task_named
from evaluation.kinds.asking import forecast
from evaluation.kinds.board import Board, Role, board_of
from evaluation.kinds.forecast import NO_CHANGE, Forecast, Held, KindGroup, OtherMembers
from evaluation.kinds.stated import (
    BrokerStated,
    ClassicStated,
    ConnectStated,
    KindStated,
    stated_for,
    with_stated,
)


@dataclass(frozen=True, eq=False)
class KindView:
    """A group, what is stated of it, and the forecast; boards are made when asked for."""

    group: KindGroup
    """Under the settings that are stated."""
    read: Group
    """As its partitions were read."""
    said: KindStated
    what_if: OtherMembers
    release: tuple[int, int] | None
    found: Forecast

    @property
    def is_changed(self) -> bool:
        """Whether it is asked about another set of members."""
        return self.what_if != NO_CHANGE

    @cached_property
    def now(self) -> Board:
        """The members as they were read."""
        return self.board(self.found.now)

    @cached_property
    def then(self) -> Board:
        """The members at rest again."""
        return self.board(self.found.last.held)

    @cached_property
    def at_once(self) -> Board:
        """The members after the rounds that follow one another without a pause."""
        first = next(
            (
                before
                for before, after in zip(self.found.stages, self.found.stages[1:], strict=False)
                if after.at_s > before.at_s
            ),
            self.found.last,
        )
        return self.board(first.held)

    def board(self, held: Mapping[str, Held]) -> Board:
        """Return the members with what they hold at some stage."""
        return board_of(self.group, self.found, held, self.read)

    @cached_property
    def moved(self) -> tuple[str, ...]:
        """What runs elsewhere at once: tasks whose holder is another one then."""
        return moved(self.now, self.at_once)

    @cached_property
    def restore_records(self) -> int | None:
        """Records that the largest copy to restore lacks: stated, else read; None if neither.

        That is the largest which restores at once, or of all tasks if none does.
        """
        if not isinstance(self.said, ClassicStated | BrokerStated):
            return None
        if self.said.changelog is not None:
            return self.said.changelog
        if not isinstance(self.group, StreamsApplication) or not self.group.restores:
            return None
        whole, lags = self.group.restores, self.group.lags
        lacking = [
            min(lags.get(self.found.homes.get(each.id, ""), {}).get(task, records), records)
            for each in self.at_once.holders
            if not each.is_gone
            for block in each.blocks
            if block.role is Role.WARM_UP or (block.role is Role.STATEFUL and block.is_new)
            if (records := whole.get(task := task_named(block.name)))
        ]
        return max(lacking or whole.values())

    @property
    def restore_s(self) -> float | None:
        """How long that copy takes at the stated rate; None unless both are known."""
        if not isinstance(self.said, ClassicStated | BrokerStated):
            return None
        records, rate = self.restore_records, self.said.restore_per_s
        return None if records is None or rate is None else records / rate

    @property
    def session_s(self) -> float:
        """How long until a member that died counts as lost."""
        return self.said.session_s if isinstance(self.said, ConnectStated) else 0.0


def view_of(
    group: KindGroup,
    read: Group,
    said: KindStated | None = None,
    what_if: OtherMembers = NO_CHANGE,
    release: tuple[int, int] | None = None,
) -> KindView:
    """Return the forecast for a group and what follows; raises UnknownMemberError."""
    said = stated_for(group)() if said is None else said
    under = with_stated(group, said)
    return KindView(under, read, said, what_if, release, forecast(under, what_if, release))


def moved(before: Board, after: Board) -> tuple[str, ...]:
    """Return which tasks or partitions run with another holder after, by name."""
    was = {block.name: each.id for each in before.holders for block in each.runs}
    return tuple(
        block.name
        for each in after.holders
        if not each.is_gone
        for block in each.runs
        if was.get(block.name) != each.id and block.role is not Role.CONNECTOR
    )
