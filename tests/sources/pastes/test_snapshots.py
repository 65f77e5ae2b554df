"""Several snapshots in one text: the newest is read, the others are its history."""

import json
import math
import pickle

import numpy as np
import pytest

from evaluation.measuring.offset_history import COMMITTED, END
from evaluation.measuring.partition_times import partition_times
from evaluation.reading import Reading
from evaluation.rebalance.owner_changes import changes
from sources.text import read_text
from tests.pasted import lags, owned, the_group

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
FIRST = HEADER + "g t 0 0 600 600 a-1 /10.0.0.1 a\ng t 1 5 5 0 b-1 /10.0.0.2 b\n"
SECOND = HEADER + "g t 1 5 5 0 b-1 /10.0.0.2 b\ng t 0 900 1200 300 b-1 /10.0.0.2 b\n"
COMMAND = "$ kafka-consumer-groups.sh --describe --group g\n"


def times_of(reading: Reading) -> list[float]:
    assert reading.history is not None
    return [moment.at_s for moment in reading.history.moments]


def elapsed(text: str) -> float:
    first, second = times_of(the_group(text))
    return second - first


def test_of_many_changes_of_owners_the_newest_three_are_told() -> None:
    owners = ["a-1", "b-1", "c-1", "d-1", "e-1"]
    texts = [
        f"{COMMAND}{HEADER}g t 0 {at} 600 {600 - at} {owner} /10.0.0.1 {owner[0]}\n"
        for at, owner in enumerate(owners)
    ]

    reading = the_group("\n".join(texts))

    told = [note for note in reading.notes if note.startswith("Between")]
    assert [[name for name in "abcde" if f"{name}-1" in note] for note in told] == [
        ["b", "c"],
        ["c", "d"],
        ["d", "e"],
    ]
    (before,) = (note for note in reading.notes if note.startswith("Before that"))
    assert "1 more rebalance " in before


def test_the_newest_snapshot_is_read_and_the_earlier_one_kept() -> None:
    reading = the_group(f"{COMMAND}{FIRST}\n{COMMAND}{SECOND}")

    assert lags(reading) == {"t": [300, 0]}
    assert owned(reading) == {"b-1": ["t-1", "t-0"]}
    assert reading.history is not None
    first, second = (moment.topics["t"] for moment in reading.history.moments)
    assert first[END].tolist() == [600, 5]
    assert second[COMMITTED].tolist() == [900, 5]
    assert reading.notes == (
        "2 snapshots of the group; the newest is on screen.",
        "Between two snapshots a-1 went, 1 partition moved, of which all had to.",
    )
    assert (reading.rows, len(reading.ignored)) == (2, 2)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Mon Nov 23 01:32:11 UTC 2026", "Mon Nov 23 01:33:11 UTC 2026"),
        ("Mon Nov 23 11:32:11 AM CET 2026", "Mon Nov 23 11:33:11 AM CET 2026"),
        ("Mon 23 Nov 23:59:30 UTC 2026", "Tue 24 Nov 00:00:30 UTC 2026"),
        ("2026-11-23T01:32:11Z", "2026-11-23T01:33:11Z"),
        ("[2026-11-23 01:32:11,500] INFO", "[2026-11-23 01:33:11,500] INFO"),
        ("1795397531", "1795397591"),
        ("23:59:30 me@host $", "00:00:30 me@host $"),
        (
            "Every 2.0s: kafka-consumer-groups --describe  host: Mon Nov 23 01:32:11 2026",
            "Every 2.0s: kafka-consumer-groups --describe  host: Mon Nov 23 01:33:11 2026",
        ),
    ],
)
def test_times_are_read_where_a_line_states_them(first: str, second: str) -> None:
    above = f"{first}\n{FIRST}\n{second}\n{SECOND}"
    below = f"{FIRST}\n{first}\n{COMMAND}{SECOND}\n{second}\n"

    assert elapsed(above) == 60
    assert elapsed(below) == 60
    assert the_group(above).ignored == ()


def test_a_reading_with_a_history_goes_from_one_process_to_another() -> None:
    reading = pickle.loads(pickle.dumps(the_group(FIRST + SECOND)))  # noqa: S301 -- our own

    assert len(times_of(reading)) == 2


def test_without_times_they_are_unknown() -> None:
    assert all(map(math.isnan, times_of(the_group(FIRST + SECOND))))

    one_dated = the_group(f"00:00:10\n{FIRST}{SECOND}").history
    assert one_dated is not None
    assert one_dated.is_undated


def test_dates_that_are_there_count_though_another_snapshot_has_none() -> None:
    third = SECOND.replace("900 1200 300", "1500 1800 300")

    reading = the_group(
        f"{FIRST}\nMon Nov 23 10:00:00 UTC 2026\n{SECOND}\nMon Nov 23 10:01:00 UTC 2026\n{third}"
    )

    assert math.isnan(times_of(reading)[0])
    assert np.diff(times_of(reading)[1:]).tolist() == [60]
    assert reading.history is not None
    rates = partition_times(reading.group, reading.history)
    assert (rates.produced.tolist(), rates.consumed.tolist()) == ([10, 0], [10, 0])
    assert "without a time" in " ".join(reading.notes)


def test_the_newest_snapshot_may_be_the_one_without_a_date() -> None:
    third = SECOND.replace("900 1200 300", "1500 1800 300")

    reading = the_group(f"10:00:00\n{FIRST}\n10:01:00\n{SECOND}\n{third}")

    assert lags(reading) == {"t": [300, 0]}
    assert reading.history is not None
    rates = partition_times(reading.group, reading.history)
    # Rates are those of the minute that is dated: 600 written, 900 read.
    assert (rates.produced.tolist(), rates.consumed.tolist()) == ([10, 0], [15, 0])
    assert rates.age_s[0] == 30


def test_a_stated_interval_holds_for_the_steps_without_dates_alone() -> None:
    third = SECOND.replace("900 1200 300", "1500 1800 300")
    dated = f"10:00:00\n{FIRST}\n10:02:00\n{SECOND}"

    reading = the_group(f"{dated}\n{third}")

    assert reading.history is not None
    assert np.diff(reading.history.dated(30).times_s).tolist() == [120, 30]


def test_an_equal_snapshot_counts_once_and_is_said() -> None:
    dated = f"10:00:00\n{FIRST}\n10:01:00\n{SECOND}"
    later = f"\n10:02:00\n{SECOND}"

    repeated = the_group(f"{dated}\nonce more\n{SECOND}")

    assert times_of(repeated) == [36_000, 36_060]
    assert "1 more snapshot told nothing else and was left out." in repeated.notes
    # Dated later, it says that nothing arrived.
    assert len(times_of(the_group(dated + later))) == 3
    assert the_group(f"{FIRST}\nonce more\n{FIRST}").history is None


def test_a_single_snapshot_keeps_its_date() -> None:
    assert the_group(f"Mon Nov 23 10:00:00 UTC 2026\n{FIRST}").taken_s == 1_795_428_000
    assert math.isnan(the_group(FIRST).taken_s)


def test_owners_of_every_snapshot_are_kept() -> None:
    reading = the_group(FIRST + "g - - - - - c-1 /10.0.0.3 c\n" + SECOND)

    assert reading.history is not None
    held = [moment.held for moment in reading.history.moments]
    assert [each.members for each in held if each] == [("a-1", "b-1", "c-1"), ("b-1",)]
    (change,) = changes(reading.group, reading.history)
    assert (change.rebalance.left, change.rebalance.moved) == (("a-1", "c-1"), 1)


def test_the_newest_may_come_first() -> None:
    reading = the_group(f"2026-11-23 01:33:11\n{SECOND}2026-11-23 01:32:11\n{FIRST}")

    assert lags(reading) == {"t": [300, 0]}
    assert elapsed(f"2026-11-23 01:33:11\n{SECOND}2026-11-23 01:32:11\n{FIRST}") == 60
    undated = the_group(SECOND + FIRST)  # the end of one partition falls, the other's stays
    assert lags(undated) == {"t": [300, 0]}


def test_the_times_count_though_one_log_has_begun_anew() -> None:
    anew = SECOND.replace("g t 1 5 5 0", "g t 1 1 1 0")

    assert elapsed(f"10:00:00\n{FIRST}\n10:00:30\n{anew}") == 30
    assert elapsed(f"10:00:00\n{SECOND}\n10:00:30\n{FIRST}") == 86_370  # newest first


def test_groups_and_their_times_stay_apart() -> None:
    other = FIRST.replace("g t", "h t")
    text = f"10:00:00\n{FIRST}\n{other}\n10:00:30\n{SECOND}\n{other}"

    one, two = read_text(text)

    assert (one.group.id, two.group.id) == ("g", "h")
    assert times_of(one) == times_of(two) == [36_000, 36_030]


def test_members_are_those_of_the_newest_tables() -> None:
    idle = "g - - - - - c-1 /10.0.0.3 c\n"
    members = "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\ng {} /10.0.0.9 x 0\n"
    first, second = members.format("gone-1"), members.format("new-1")

    assert set(owned(the_group(FIRST + idle + SECOND))) == {"b-1"}
    assert set(owned(the_group(FIRST + SECOND + idle))) == {"b-1", "c-1"}
    assert set(owned(the_group(FIRST + SECOND + first))) == {"b-1", "gone-1"}
    assert "new-1" in owned(the_group(FIRST + first + SECOND + second))


def test_a_partition_twice_in_one_table_is_no_history() -> None:
    assert the_group(FIRST + "g t 1 6 7 1 b-1 /10.0.0.2 b\n").history is None


def test_a_range_of_prometheus_is_a_history() -> None:
    labels = {"consumergroup": "g", "topic": "t", "partition": "0"}
    series = {
        "kafka_consumergroup_lag": ["600", "300"],
        "kafka_consumergroup_current_offset": ["0", "900"],
        "kafka_topic_partition_current_offset": ["600", "1200"],
    }
    result = [
        {
            "metric": labels | {"__name__": name},
            "values": [[1_795_397_531.5 + 60 * k, value] for k, value in enumerate(values)],
        }
        for name, values in series.items()
    ]

    reading = the_group(json.dumps({"data": {"resultType": "matrix", "result": result}}))

    assert lags(reading) == {"t": [300]}
    assert reading.history is not None
    times = partition_times(reading.group, reading.history)
    assert (times.produced.tolist(), times.consumed.tolist()) == ([10], [15])
    assert times.age_s.tolist() == [30]


def test_two_scrapes_are_a_history_with_the_times_they_state() -> None:
    scrape = (
        'kafka_consumergroup_current_offset{{consumergroup="g",topic="t",partition="0"}} {0}{2}\n'
        'kafka_topic_partition_current_offset{{topic="t",partition="0"}} {1}{2}\n'
    )
    timed = scrape.format(0, 600, " 1795397531500") + scrape.format(900, 1200, " 1795397591500")
    untimed = scrape.format(0, 600, "") + scrape.format(900, 1200, "")

    assert lags(the_group(timed)) == lags(the_group(untimed)) == {"t": [300]}
    assert elapsed(timed) == 60
    assert all(map(math.isnan, times_of(the_group(untimed))))


def test_the_table_of_members_is_that_of_the_newest_snapshot_wherever_it_stands() -> None:
    def run(minute: int, end: int, owner: str) -> str:
        return (
            f"2026-03-01T10:0{minute}:00Z\n"
            "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\n"
            f"depot crates 0 10 {end} {end - 10}\n\n"
            "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\n"
            f"depot {owner} /10.3.0.1 van 1 crates(0)\n\n"
        )

    reading = the_group(run(1, 20, "van-new") + run(0, 15, "van-old"))

    assert owned(reading) == {"van-new": ["crates-0"]}


def test_a_newest_snapshot_that_was_cut_off_loses_no_partition() -> None:
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\n"
    rows = "g t {} 10 {} {} {}\n"
    first = "".join(rows.format(n, 10 + n, n, who) for n, who in enumerate("abc"))
    second = "".join(rows.format(n, 20 + n, 10 + n, who) for n, who in enumerate("ab"))

    (reading,) = read_text(f"{head}{first}\n{head}{second}")

    assert reading.group.partition_count == 3
    assert reading.group.is_lag_known.tolist() == [True, True, False]
    assert reading.group.is_owner_unknown.tolist() == [False, False, True]
    assert not any("went" in note for note in reading.notes)
