from collections.abc import Iterator
from itertools import repeat

from evaluation.reading import Reading
from sources.budget import Budget
from sources.errors import SourceError
from sources.text import read_lines


def _line(group: str) -> str:
    return f'{{"id": "{group}", "topics": {{"t": 1}}, "members": []}}\n'


def test_a_line_that_cannot_be_read_does_not_stop_the_others() -> None:
    lines = [_line("a"), "\n", '{"topics": \n', _line("b")]

    found = list(read_lines(lines, repeat(Budget())))

    assert [number for number, _ in found] == [1, 3, 4]
    assert [type(group) for _, group in found] == [Reading, SourceError, Reading]


def test_a_group_is_yielded_before_the_next_line_is_read() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield _line(f"g{taken}")

    groups = read_lines(endless(), repeat(Budget()))

    _, first = next(groups)

    assert isinstance(first, Reading)
    assert (first.group.id, taken) == ("g1", 1)
