"""A second text of a group is its next snapshot, and never tells less than one."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.measuring.movement import moved
from evaluation.measuring.partition_times import partition_times
from evaluation.reading import Reading
from sources.added import added, is_same_group
from tests.pasted import lags, the_group

TABLE = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    "g t 0 {0} {1} 0 a-1 /h a\n"
    "g t 1 5 5 0 b-1 /h b\n"
)
FIRST, SECOND, THIRD = (
    TABLE.format(*row).replace(" 0 a-1", f" {row[1] - row[0]} a-1")
    for row in ((100, 600), (100, 1_200), (400, 1_800))
)


def pasted(text: str, at_s: float) -> Reading:
    return replace(the_group(text), pasted_s=at_s)


def times_of(reading: Reading) -> list[float]:
    assert reading.history is not None
    return [moment.at_s for moment in reading.history.moments]


def test_a_second_paste_is_as_much_later_as_it_was_pasted_and_only_about() -> None:
    found = added(pasted(FIRST, 1_000.0), pasted(SECOND, 1_062.0))

    assert not found.is_repeat
    assert times_of(found.reading) == [1_000, 1_062]
    assert lags(found.reading) == {"t": [1_100, 0]}
    history = found.reading.history
    assert history is not None
    assert history.is_approximate
    assert not history.is_undated
    movement = moved(found.reading.group, history)
    assert movement is not None
    assert (movement.arrived.tolist(), movement.read.tolist()) == ([600, 0], [0, 0])
    # The seconds can be corrected: only the rates change.
    exact = history.dated(120)
    assert not exact.is_approximate
    assert partition_times(found.reading.group, exact).produced.tolist() == [5, 0]


def test_a_third_paste_is_added_to_the_two() -> None:
    both = added(pasted(FIRST, 1_000.0), pasted(SECOND, 1_062.0)).reading

    found = added(both, pasted(THIRD, 1_100.0)).reading

    assert times_of(found) == [1_000, 1_062, 1_100]


def test_an_equal_second_paste_is_left_out() -> None:
    one = pasted(FIRST, 1_000.0)

    found = added(one, pasted(FIRST, 1_062.0))

    assert found.is_repeat
    assert found.reading is one


def test_dates_in_both_texts_count_whenever_they_were_pasted() -> None:
    dates = ("Mon Nov 23 10:00:00 UTC 2026\n", "Mon Nov 23 10:01:00 UTC 2026\n")

    found = added(pasted(dates[0] + FIRST, 5_000.0), pasted(dates[1] + SECOND, 5_001.0)).reading

    assert np.diff(times_of(found)).tolist() == [60]
    assert found.history is not None
    assert not found.history.is_approximate


@pytest.mark.parametrize("dated", [0, 1])
def test_beside_one_date_the_time_between_the_pastes_counts(dated: int) -> None:
    texts = [FIRST, SECOND]
    texts[dated] = f"Mon Nov 23 10:00:00 UTC 2026\n{texts[dated]}"

    found = added(pasted(texts[0], 5_000.0), pasted(texts[1], 5_062.0)).reading

    assert np.diff(times_of(found)).tolist() == [62]
    assert times_of(found)[dated] == 1_795_428_000
    assert found.history is not None
    assert found.history.is_approximate


def test_an_older_text_pasted_later_comes_first_and_has_no_time() -> None:
    found = added(pasted(SECOND, 1_000.0), pasted(FIRST, 1_062.0)).reading

    assert lags(found) == {"t": [1_100, 0]}
    assert np.isnan(times_of(found)[0])
    movement = moved(found.group, found.history) if found.history else None
    assert movement is not None
    assert movement.arrived.tolist() == [600, 0]


def test_a_second_paste_tells_who_came_and_what_moved() -> None:
    owned = "{} CONSUMER-ID\ng t 0 5 9 4 {}\ng t 1 5 9 4 {}\n"
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG"
    later = owned.format(head, "c1", "c2").replace("9 4", "19 14")

    found = added(pasted(owned.format(head, "c1", "c1"), 0.0), pasted(later, 60.0)).reading

    said = "Between two snapshots c2 came, 1 partition moved, of which all had to."
    assert said in found.notes


def test_groups_are_told_apart_by_name_or_else_by_topics() -> None:
    unnamed = FIRST.replace("GROUP ", "").replace("g t", "t")

    assert is_same_group(the_group(FIRST), the_group(SECOND))
    assert not is_same_group(the_group(FIRST), the_group(SECOND.replace("g t", "h t")))
    assert is_same_group(the_group(unnamed), the_group(SECOND))
    assert not is_same_group(the_group(FIRST), the_group(SECOND.replace("g t", "g u")))
    assert not is_same_group(the_group(unnamed), the_group(SECOND.replace("g t", "g u")))


def test_two_texts_with_one_date_are_as_far_apart_as_their_pastes() -> None:
    date = "Mon Nov 23 10:00:00 UTC 2026\n"

    found = added(pasted(date + FIRST, 5_000.0), pasted(date + SECOND, 5_062.0)).reading

    assert np.diff(times_of(found)).tolist() == [62]
    assert lags(found) == {"t": [1_100, 0]}


def test_a_text_is_not_older_because_one_partition_s_log_was_emptied() -> None:
    emptied = SECOND.replace("g t 1 5 5", "g t 1 0 0")

    found = added(pasted(FIRST, 1_000.0), pasted(emptied, 1_062.0)).reading

    assert times_of(found) == [1_000, 1_062]
    assert lags(found) == {"t": [1_100, 0]}
