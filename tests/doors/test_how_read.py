"""What was odd about a text stands beside its answer, at the command line and for assistants."""

from typing import Any

import pytest

from assistant import tools
from tests.doors.test_doors import by_command_line
from tests.pasted import the_group

_HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
_ROW = "g orders {p} 100 {end} {lag} c-{p} /10.0.0.{p} c-{p}\n"
_CUT = f"\n{_HEADER}{_ROW.format(p=0, end=5000, lag=4900)}g orders 1 100 "
_AHEAD = "".join([_HEADER, *(_ROW.format(p=p, end=40, lag=-60) for p in range(2))])
_LOGGED = _HEADER + _ROW.format(p=0, end=5000, lag=4900) + "INFO audit is up\n" * 30


def _by_both(text: str) -> dict[str, Any]:
    answered = tools.answer(text)["read"]
    found: dict[str, Any] = by_command_line(text)["read"]
    assert found["notes"] == list(answered["notes"])
    assert found["ignored"] == [list(each) for each in answered["ignored"]]
    assert found["ignored_lines"] == answered["ignored_lines"]
    return found


@pytest.mark.parametrize(("text", "line"), [(_CUT, "Line 4:"), (_AHEAD, "Lines 2, 3:")])
def test_a_note_names_the_line_of_a_cut_row_and_of_a_negative_lag(text: str, line: str) -> None:
    read = _by_both(text)

    assert read["notes"] == list(the_group(text).notes)
    assert [note for note in read["notes"] if note.startswith(line)]
    assert read["ignored"] == []


def test_the_first_ten_of_the_lines_that_were_not_used_are_written_and_all_are_counted() -> None:
    read = _by_both(_LOGGED)

    assert read["ignored"] == [[line, "INFO audit is up"] for line in range(3, 13)]
    assert read["ignored_lines"] == 30
