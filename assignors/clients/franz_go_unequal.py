"""What franz-go does where members subscribe to different topics.

Free partitions go to the emptiest subscriber, topic after topic. Then the emptiest member takes
from one with at least two more, directly or through others that pass partitions on, until that is
nowhere possible: no assignment has more even counts. At last members exchange partitions, and
their counts, as long as fewer partitions move.

Several assignments are equally good; which one comes out depends on the order of the lists here,
so that order is franz-go's own. Places are those of members in its order, positions those of
partitions in the order of topics.

Source: kgo/internal/sticky of franz-go v1.22.2, whose assignments this reproduces.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from assignors.clients.franz_go_exchange import Cell, exchanged, handed_out
from assignors.model import UNOWNED


class Wishes(NamedTuple):
    """Who subscribes to what, and who claims what."""

    readers: Sequence[tuple[int, ...]]
    """The places of each topic's subscribers, ascending."""
    topic_at: Sequence[int]
    """The topic of each position."""
    claimed: Sequence[int]
    """The place that the newest claim on each position gives it to, or ``UNOWNED``."""
    outdated: Sequence[tuple[int, int]]
    """Position and place of the older claim on what is claimed twice, in the order of visits."""
    member_count: int

    @property
    def topics_of_each(self) -> list[list[int]]:
        """The topics that each place reads, ascending."""
        reads: list[list[int]] = [[] for _ in range(self.member_count)]
        for topic, readers in enumerate(self.readers):
            for place in readers:
                reads[place].append(topic)
        return reads


def owners_of(wishes: Wishes) -> list[int]:
    """Return the place of each position's owner."""
    rows: list[list[int]] = [[] for _ in range(wishes.member_count)]
    origin = _kept(wishes, rows)
    _fill(wishes, rows, origin)
    _even_out(wishes, rows)
    _bring_home(wishes, rows, origin)
    owners = [UNOWNED] * len(origin)
    for place, row in enumerate(rows):
        for position in row:
            owners[position] = place
    return owners


def to_the_emptiest(counts: list[int], heap: list[int], number: int) -> Iterator[int]:
    """Yield who of the heap takes each of ``number`` partitions; ``counts`` grows with it.

    The order among equals is that of a binary heap.
    """
    for node in range(len(heap) // 2 - 1, -1, -1):
        _sift_down(heap, counts, node)
    for _ in range(number):
        yield heap[0]
        counts[heap[0]] += 1
        _sift_down(heap, counts, 0)


def _sift_down(heap: list[int], counts: Sequence[int], node: int) -> None:
    while (child := 2 * node + 1) < len(heap):
        if child + 1 < len(heap) and counts[heap[child + 1]] < counts[heap[child]]:
            child += 1
        if counts[heap[node]] <= counts[heap[child]]:
            return
        heap[node], heap[child] = heap[child], heap[node]
        node = child


def _remove(row: list[int], number: int) -> None:
    """Remove a number; the last one takes its place."""
    last = row.pop()
    if last != number:
        row[row.index(number)] = last


def _kept(wishes: Wishes, rows: list[list[int]]) -> list[int]:
    """Let members keep what they claim and read; return whom each position was with."""
    origin = [
        place if place in wishes.readers[topic] else UNOWNED
        for place, topic in zip(wishes.claimed, wishes.topic_at, strict=True)
    ]
    for position, place in enumerate(origin):
        if place != UNOWNED:
            rows[place].append(position)
    for position, before in wishes.outdated:
        now = origin[position]
        if before not in wishes.readers[wishes.topic_at[position]]:
            continue
        if now == UNOWNED or len(rows[before]) + 1 < len(rows[now]):
            if now != UNOWNED:
                _remove(rows[now], position)
            rows[before].append(position)
            origin[position] = before
    return origin


def _fill(wishes: Wishes, rows: list[list[int]], origin: Sequence[int]) -> None:
    free: list[list[int]] = [[] for _ in wishes.readers]
    for position, place in enumerate(origin):
        if place == UNOWNED:
            free[wishes.topic_at[position]].append(position)
    counts = [len(row) for row in rows]
    for readers, positions in zip(wishes.readers, free, strict=True):
        if readers:
            takers = to_the_emptiest(counts, list(readers), len(positions))
            for position, place in zip(positions, takers, strict=True):
                rows[place].append(position)


def _even_out(wishes: Wishes, rows: list[list[int]]) -> None:
    """Let the emptiest take until nobody can reach a member with two more."""
    shelves: list[dict[int, list[int]]] = [{} for _ in wishes.readers]
    for position, place in sorted((p, place) for place, row in enumerate(rows) for p in row):
        shelves[wishes.topic_at[position]].setdefault(place, []).append(position)
    reads = wishes.topics_of_each
    by_count: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        by_count.setdefault(len(row), []).append(place)

    def drop(place: int, count: int) -> None:
        _remove(by_count[count], place)
        if not by_count[count]:
            del by_count[count]

    while by_count and max(by_count) > (lowest := min(by_count)) + 1:
        taker = by_count[lowest][0]
        moves = list(_moves_to(taker, rows, reads, shelves))
        if not moves:
            drop(taker, lowest)
        for position, giver, receiver in moves:
            shelf = shelves[wishes.topic_at[position]]
            for place, change in ((giver, -1), (receiver, 1)):
                before = len(rows[place])
                drop(place, before)
                by_count.setdefault(before + change, []).append(place)
            _remove(rows[giver], position)
            rows[receiver].append(position)
            _remove(shelf[giver], position)
            shelf.setdefault(receiver, []).append(position)


def _moves_to(
    taker: int,
    rows: Sequence[Sequence[int]],
    reads: Sequence[Sequence[int]],
    shelves: Sequence[dict[int, list[int]]],
) -> Iterator[tuple[int, int, int]]:
    """Yield moves (position, giver, receiver) from a member with two more down to the taker."""
    enough = len(rows[taker]) + 2
    queue = [(-len(rows[taker]), 0, taker)]
    by: dict[int, tuple[int, int]] = {taker: (UNOWNED, UNOWNED)}
    while queue:
        minus_count, steps, place = heappop(queue)
        if -minus_count >= enough:
            while place != taker:
                position, receiver = by[place]
                yield position, place, receiver
                place = receiver
            return
        for topic in reads[place]:
            for owner, shelf in shelves[topic].items():
                if shelf and owner not in by:
                    by[owner] = shelf[0], place
                    heappush(queue, (-len(rows[owner]), steps + 1, owner))


def _bring_home(wishes: Wishes, rows: list[list[int]], origin: Sequence[int]) -> None:
    """Exchange partitions as long as fewer move; counts stay as even as they are."""
    kinds: dict[tuple[int, ...], int] = {}
    for readers in wishes.readers:
        kinds.setdefault(readers, len(kinds))
    kind_of_topic = [kinds[readers] for readers in wishes.readers]
    kind_at = [kind_of_topic[topic] for topic in wishes.topic_at]
    held_kinds = {kind_at[position] for row in rows for position in row}
    cells = {
        (kind, place): Cell(kind, place)
        for place, topics in enumerate(wishes.topics_of_each)
        for kind in sorted({kind_of_topic[topic] for topic in topics} & held_kinds)
    }
    has_moved = False
    for place, row in enumerate(rows):
        for position in row:
            cells[kind_at[position], place].has += 1
            has_moved |= origin[position] not in {UNOWNED, place}
    for position, place in enumerate(origin):
        if place != UNOWNED:
            cells[kind_at[position], place].came_with += 1
    if exchanged(list(cells.values()), [len(row) for row in rows]) or has_moved:
        handed_out(cells, rows, kind_at, origin)
