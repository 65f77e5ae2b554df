"""A board of members and what they hold, as the picture's rows of blocks and tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assignors.connect.cluster import ConnectCluster
from assignors.share.group import ShareGroup
from evaluation.kinds.board import Board, Holder, Role, WorkBlock
from evaluation.kinds.forecast import KindGroup
from evaluation.kinds.share_words import readers_of
from evaluation.kinds.streams_words import capped
from evaluation.kinds.view import KindView, moved
from evaluation.wording import amount, duration, plural
from ui.picture.model import (
    BlockChart,
    BlockRow,
    FactTable,
    IncidentPicture,
    TableHead,
    TaskBlock,
)

_MOST_ROWS: Final = 40
_MOST_BLOCKS: Final = 60
_SHADES: Final = 4
_KINDS: Final[Mapping[Role, str]] = {
    Role.STATELESS: "outlined",
    Role.STANDBY: "hatched",
    Role.WARM_UP: "dotted",
    Role.CONNECTOR: "outlined",
}
_FAILED: Final = "failed"
_ALL_RUN: Final[Mapping[str, str]] = {}


def picture_of(view: KindView, board: Board) -> IncidentPicture:
    """Return the picture of one stage: members with blocks, and the course or the parts beside."""
    return IncidentPicture(
        chart=_chart(view.group, board),
        beside=_course(view) if view.is_changed else _parts(view.group, board, None),
        below=_parts(view.group, board, view.now) if view.is_changed else None,
    )


def _chart(group: KindGroup, board: Board) -> BlockChart:
    look, shades, states = _look_of(group), _shades(board), _states(group)
    holders = board.holders[:_MOST_ROWS]
    rows, last = [], ""
    for each in holders:
        home = f"Instance {each.home}" if each.home else ""
        is_first = bool(home) and home != last
        last = home
        rows.append(
            BlockRow(
                home=home if is_first else "",
                note=_note(board, each.home) if is_first else "",
                label=each.label,
                full_id=each.id,
                blocks=_blocks(each.runs, shades, each, states),
                copies=_blocks(each.copies, shades, each),
                figure=look.figure(each),
                is_gone=each.is_gone,
            )
        )
    hidden = len(board.holders) - len(holders)
    return BlockChart(
        heads=look.heads(board),
        rows=tuple(rows),
        legend=_legend(board, shades, has_state=look.has_state),
        below=" ".join(
            filter(None, (f"{hidden:,} more are not drawn." if hidden else "", look.below(board)))
        ),
    )


def _note(board: Board, home: str) -> str:
    here = [each for each in board.holders if each.home == home]
    runs = [block for each in here for block in each.runs]
    stateful = sum(block.role is Role.STATEFUL for block in runs)
    copies = sum(len(each.copies) for each in here)
    said = f"{plural(len(runs), 'task')}, {stateful:,} stateful"
    copied = "1 copy" if copies == 1 else f"{copies:,} copies"
    return f"{said} · {copied}" if copies else said


def _shades(board: Board) -> dict[str, int]:
    """Return a shade of every part; parts without state are outlined and need none."""
    parts = [each.name for each in board.parts if each.is_stateful]
    names = parts or [each.name for each in board.parts]
    return {name: at % _SHADES for at, name in enumerate(names)}


def _states(group: KindGroup) -> Mapping[str, str]:
    """Return what the work that does not run is, by its name."""
    if not isinstance(group, ConnectCluster):
        return _ALL_RUN
    paused = {each.name: "paused" for each in group.paused}
    paused |= {each.name: "stopped" for each in group.stopped}
    return paused | {each.name: _FAILED for each in group.failed}


def _blocks(
    blocks: Sequence[WorkBlock],
    shades: Mapping[str, int],
    holder: Holder,
    states: Mapping[str, str] = _ALL_RUN,
) -> tuple[TaskBlock, ...]:
    shown = tuple(
        TaskBlock(
            label=f"{_block_label(each)} {states.get(each.name, '')}".rstrip(),
            kind="lost" if states.get(each.name) == _FAILED else _KINDS.get(each.role, "filled"),
            shade=shades.get(each.part, 0),
            is_new=each.is_new,
            said=f"{each.name}, {each.role.value}{', new here' if each.is_new else ''}"
            f"{'' if each.behind is None else f', {amount(each.behind)} records behind'}: "
            f"{holder.home} {holder.label}".replace(":  ", ": "),
        )
        for each in blocks[:_MOST_BLOCKS]
    )
    hidden = len(blocks) - len(shown)
    more = TaskBlock(label=f"+{hidden:,}", kind="outlined", said=f"{hidden:,} more")
    return (*shown, more) if hidden else shown


def _block_label(block: WorkBlock) -> str:
    return f"{block.name} connector" if block.role is Role.CONNECTOR else block.name


def _legend(
    board: Board, shades: Mapping[str, int], *, has_state: bool
) -> tuple[tuple[str, int, str], ...]:
    roles = {block.role for each in board.holders for block in each.blocks}
    found = []
    for part in board.parts[:_SHADES]:
        is_outlined = part.name not in shades
        reads = "" if part.reads == part.name else part.reads
        state = _state(part.is_stateful) if has_state else ""
        text = ", ".join(filter(None, (f"{part.name}: {reads}" if reads else part.name, state)))
        found.append(("outlined" if is_outlined else "filled", shades.get(part.name, 0), text))
    if Role.CONNECTOR in roles:
        found.append(("outlined", 0, "the connector itself"))
    if Role.STANDBY in roles:
        found.append(("hatched", 0, "standby"))
    if Role.WARM_UP in roles:
        found.append(("dotted", 0, "warm-up"))
    if any(block.is_new for each in board.holders for block in each.blocks):
        found.append(("outlined new", 0, "new here"))
    return tuple(found)


def _state(is_stateful: bool) -> str:
    return "stateful" if is_stateful else "stateless"


def _parts(group: KindGroup, board: Board, before: Board | None) -> FactTable:
    """Return the sub-topologies, connectors or topics; topics as they change from ``before``."""
    look = _look_of(group)
    rows, heads = look.part_rows(board, before), look.part_heads
    if any(each.behind is not None for each in board.parts):
        rows = [(*row, amount(each.behind)) for row, each in zip(rows, board.parts, strict=True)]
        heads = (*heads, "Behind")
    return FactTable(
        title=look.parts,
        heads=tuple(
            TableHead(label=head, is_number=bool(at) and head != "Reads")
            for at, head in enumerate(heads)
        ),
        rows=tuple(rows),
        causes=(False,) * len(rows),
        is_alarm=False,
    )


@dataclass(frozen=True, kw_only=True)
class _Look:
    """What the picture of one kind of group calls and counts otherwise than others."""

    heads: Callable[[Board], tuple[str, str, str, str, str]]
    figure: Callable[[Holder], str]
    """Beside the blocks of a member."""
    below: Callable[[Board], str]
    has_state: bool
    """Whether the legend says which parts have state."""
    parts: str
    part_heads: tuple[str, ...]
    part_rows: Callable[[Board, Board | None], list[tuple[str, ...]]]


def _look_of(group: KindGroup) -> _Look:
    if isinstance(group, ConnectCluster):
        return _CONNECT
    return _SHARE if isinstance(group, ShareGroup) else _STREAMS


def _streams_heads(board: Board) -> tuple[str, str, str, str, str]:
    copies = "Copies" if any(each.copies for each in board.holders) else ""
    behind = "Records behind" if board.is_lag_known else ""
    return "Instance", "Thread", "Active tasks", copies, behind


def _streams_below(board: Board) -> str:
    threads = sum(not each.is_gone for each in board.holders)
    tasks = sum(each.items for each in board.parts)
    idle = f"More than {plural(tasks, 'thread')} would leave some idle." if threads <= tasks else ""
    return " ".join(filter(None, (capped(board), idle)))


def _topic_rows(board: Board, before: Board | None) -> list[tuple[str, ...]]:
    """Return the topics, with how many consumers a partition has before and then."""
    then = _readers(board)
    now = then if before is None else _readers(before)
    rows: list[tuple[str, ...]] = []
    for each in board.parts:
        was, is_ = now.get(each.name, "0"), then.get(each.name, "0")
        rows.append((each.name, f"{each.items:,}", is_ if was == is_ else f"{was} → {is_}"))
    return rows


def _readers(board: Board) -> dict[str, str]:
    """Return how many consumers the partitions of each topic have, as "1" or "1–2"."""
    counts: dict[str, list[int]] = {}
    readers = readers_of(board)
    for name, count in readers.items():
        counts.setdefault(name.rpartition("-")[0], []).append(count)
    return {
        topic: f"{min(found)}" if min(found) == max(found) else f"{min(found)}–{max(found)}"
        for topic, found in counts.items()
    }


def _workers_of(board: Board, connector: str) -> int:
    return sum(
        any(block.part == connector and block.role is Role.TASK for block in each.runs)
        for each in board.holders
        if not each.is_gone
    )


_CONNECT: Final = _Look(
    heads=lambda _: ("", "Worker", "Connectors and tasks", "", "Runs"),
    figure=lambda holder: plural(sum(each.role is Role.TASK for each in holder.runs), "task"),
    below=lambda _: "Connect deals connectors and tasks by count alone; load and lag play no part.",
    has_state=False,
    parts="Connectors",
    part_heads=("Connector", "Tasks", "Workers"),
    part_rows=lambda board, _: [
        (each.name, f"{each.items:,}", f"{_workers_of(board, each.name):,}") for each in board.parts
    ],
)
_SHARE: Final = _Look(
    heads=lambda _: ("", "Consumer", "Partitions", "", "Reads"),
    figure=lambda holder: plural(len(holder.runs), "partition"),
    below=lambda _: "",
    has_state=False,
    parts="Consumers a partition",
    part_heads=("Topic", "Partitions", "Consumers each"),
    part_rows=_topic_rows,
)
_STREAMS: Final = _Look(
    heads=_streams_heads,
    figure=lambda holder: amount(holder.behind),
    below=_streams_below,
    has_state=True,
    parts="Sub-topologies",
    part_heads=("Sub-topology", "Reads", "Tasks"),
    part_rows=lambda board, _: [
        (each.name, each.reads or "not told", f"{each.items:,}") for each in board.parts
    ],
)


def _course(view: KindView) -> FactTable:
    """Return what happens round by round."""
    rows, before = [], view.now
    if view.session_s and view.what_if.without:
        rows.append(("0 s", "the worker dies", ""))
    for stage in view.found.stages:
        board = view.board(stage.held)
        count = len(moved(before, board))
        at_s = stage.at_s + (view.session_s if view.what_if.without else 0)
        cause = stage.cause.value
        if stage.at_s == 0 and view.session_s and view.what_if.without:
            cause = "its session ends"
        rows.append((duration(at_s) if at_s else "at once", cause, f"{count:,}"))
        before = board
    return FactTable(
        title="Round by round",
        heads=(
            TableHead(label="When"),
            TableHead(label="Begins with"),
            TableHead(label="Start anew", is_number=True),
        ),
        rows=tuple(rows),
        causes=(False,) * len(rows),
        is_alarm=False,
    )
