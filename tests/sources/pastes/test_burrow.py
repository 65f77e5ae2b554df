"""Burrow's responses, complete and mangled."""

import json

import pytest

from assignors.naming import topic_records
from evaluation.answering.compose import answer_of
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from sources.text import read_text
from tests.pasted import lags, owned, the_group


def _partition(number: int, lag: int | None, owner: str = "/10.4.0.1") -> dict[str, object]:
    return {
        "topic": "clicks",
        "partition": number,
        "owner": owner,
        "client_id": "web",
        "status": "OK",
        "start": {"offset": 100 + number, "timestamp": 1700000000000, "lag": 1},
        "end": {"offset": 200 + number, "timestamp": 1700000060000, "lag": 2},
        "current_lag": lag,
        "complete": 1,
    }


def _answer(*partitions: dict[str, object], total: int | None = None) -> dict[str, object]:
    return {
        "error": False,
        "message": "consumer status returned",
        "status": {
            "cluster": "east",
            "group": "tracker",
            "status": "WARN",
            "complete": 1,
            "partitions": list(partitions),
            "partition_count": len(partitions) if total is None else total,
            "maxlag": partitions[0] if partitions else None,
            "totallag": 9,
        },
        "request": {"url": "/v3/kafka/east/consumer/tracker/lag", "host": "b1"},
    }


WHOLE = json.dumps(_answer(_partition(0, 5), _partition(1, None), _partition(2, 7, "/10.4.0.2")))


def test_lags_owners_and_committed_offsets_are_read() -> None:
    reading = the_group(WHOLE)

    assert (reading.format, reading.group.id) == ("Burrow HTTP JSON", "tracker")
    assert lags(reading) == {"clicks": [5, None, 7]}
    assert owned(reading) == {"/10.4.0.1": ["clicks-0", "clicks-1"], "/10.4.0.2": ["clicks-2"]}
    assert topic_records(reading.group)["clicks"].committed == [200, 201, 202]
    assert (reading.rows, len(reading.notes)) == (3, 1)


def test_commits_of_all_partitions_at_two_moments_are_two_snapshots() -> None:
    reading = the_group(WHOLE)

    assert reading.history is not None
    first, last = reading.history.moments
    assert (first.at_s, last.at_s) == (1_700_000_000, 1_700_000_060)
    ends, committed = ([m.topics["clicks"][row].tolist() for m in (first, last)] for row in (1, 2))
    assert committed == [[100, 101, 102], [200, 201, 202]]
    assert ends == [[101, 102, 103], [202, 203, 204]]  # as of the commits, not as of now


@pytest.mark.parametrize("late_ms", [7_000, 600_000])
def test_commits_that_lie_far_apart_are_one_snapshot(late_ms: int) -> None:
    late = _partition(2, 7)
    late["end"] = {"offset": 202, "timestamp": 1_700_000_060_000 + late_ms, "lag": 2}

    reading = the_group(json.dumps(_answer(_partition(0, 5), _partition(1, 5), late)))

    assert reading.history is None
    assert lags(reading) == {"clicks": [5, 5, 7]}


def test_two_answers_are_a_snapshot_each() -> None:
    reading = the_group(f"{WHOLE}\n\nlater\n\n{WHOLE.replace(': 20', ': 25')}")

    assert reading.history is not None
    assert reading.history.is_undated
    assert [m.topics["clicks"][2, 0] for m in reading.history.moments] == [200, 250]


def test_a_partition_that_is_committed_again_and_again_at_one_offset_has_stopped() -> None:
    stands = _partition(0, 900) | {
        "start": {"offset": 100, "timestamp": 1_700_000_000_000, "lag": 100},
        "end": {"offset": 100, "timestamp": 1_700_000_600_000, "lag": 900},
    }
    moves = _partition(1, 0, "/10.4.0.2") | {
        "start": {"offset": 100, "timestamp": 1_700_000_000_000, "lag": 0},
        "end": {"offset": 900, "timestamp": 1_700_000_600_000, "lag": 0},
    }

    found = answer_of(given_of(the_group(json.dumps(_answer(stands, moves)))))

    assert found.verdict.kind is VerdictKind.STOPPED
    assert (found.verdict.members, found.verdict.since_s) == ((0,), 600)


def test_the_partition_of_the_greatest_lag_is_not_counted_twice() -> None:
    assert the_group(WHOLE).rows == 3


def test_version_2_has_the_lag_of_the_last_commit_and_no_owners() -> None:
    old = _partition(0, 5)
    for field in ("owner", "client_id", "current_lag", "complete"):
        del old[field]

    reading = the_group(json.dumps(_answer(old)))

    assert (lags(reading), reading.group.members) == ({"clicks": [2]}, ())


def test_a_status_that_lists_only_the_bad_partitions_is_noted() -> None:
    reading = the_group(json.dumps(_answer(_partition(1, 5), total=6)))

    _, gap, note = reading.notes
    assert gap.startswith("Partition 0 of 'clicks': not in the newest snapshot")
    assert note.startswith("Burrow lists 1 of 6 partitions of 'tracker': /status leaves out")


def test_a_status_that_lists_nothing_is_a_group_without_partitions() -> None:
    reading = the_group(json.dumps(_answer(total=6)))

    assert (reading.group.id, reading.rows, reading.group.topics) == ("tracker", 0, ())


def test_answers_on_several_groups_are_several_readings() -> None:
    text = f"$ curl one\n{WHOLE}\n$ curl two\n{WHOLE.replace('tracker', 'mailer')}\n"

    found = read_text(text)

    assert [reading.group.id for reading in found] == ["tracker", "mailer"]
    assert [number for number, _ in found[0].ignored] == [1, 3]


PRETTY = json.dumps(json.loads(WHOLE), indent=2)
MANGLED = {
    "pretty": PRETTY,
    "keys sorted": json.dumps(json.loads(WHOLE), indent=4, sort_keys=True),
    "back-tick before": "`" + WHOLE,
    "line break in a string": WHOLE.replace("/10.4.0.2", "/10.4.0.2\n"),
    "line break in a string, and cut": WHOLE.replace("/10.4.0.2", "/10.4.0.2\n")[:-80],
    "no commas": PRETTY.replace(",\n", "\n"),
    "a dot before each line": "\n".join(f".    {line}" for line in PRETTY.splitlines()),
    "quoted mail": "\n".join(f"> {line}" for line in PRETTY.splitlines()),
    "cut after the last partition": WHOLE[: WHOLE.index('"partition_count"')],
    "cut inside the greatest lag": WHOLE[: WHOLE.index('"totallag"') - 60],
    "from a REST client": PRETTY.replace("},", "}-").replace(
        '"partitions": [', '"partitions": [3]'
    ),
    "prose around": f"this is what I get:\n{PRETTY}\nwhy?",
    "after the command on one line": f"$ curl -s b1/v3/kafka/east/consumer/tracker/lag {WHOLE}",
}


@pytest.mark.parametrize("text", MANGLED.values(), ids=MANGLED)
def test_json_that_is_broken_is_read_as_far_as_it_goes(text: str) -> None:
    reading = the_group(text)

    assert (reading.group.id, reading.rows) == ("tracker", 3)
    assert lags(reading) == {"clicks": [5, None, 7]}
    assert owned(reading) == {"/10.4.0.1": ["clicks-0", "clicks-1"], "/10.4.0.2": ["clicks-2"]}


def test_a_text_that_starts_inside_an_answer_is_read_without_a_group_name() -> None:
    text = PRETTY[PRETTY.index('"topic"', PRETTY.index('"partition": 0')) :]

    assert lags(the_group(text)) == {"clicks": [None, None, 7]}


def test_a_result_for_a_whole_group_lists_partitions_by_topic() -> None:
    commits = [{"offset": 7, "timestamp": 1, "lag": 9}, {"offset": 8, "timestamp": 2, "lag": 3}]
    answer = {
        "error": False,
        "message": "consumer detail returned",
        "topics": {
            "clicks": [
                {"offsets": commits, "owner": "/10.4.0.1", "client_id": "web", "current-lag": 4},
                {"offsets": [], "owner": "", "client_id": ""},
            ]
        },
        "request": {"url": "/v3/kafka/east/consumer/tracker", "host": "b1"},
    }

    reading = the_group(json.dumps(answer))

    assert (reading.group.id, lags(reading)) == ("tracker", {"clicks": [4, None]})
    assert topic_records(reading.group)["clicks"].committed == [8, None]
    assert owned(reading) == {"/10.4.0.1": ["clicks-0"]}


def test_a_lag_alone_is_read_where_group_topic_and_partition_are_stated() -> None:
    bare = {"group": "tracker", "topic": "clicks", "partition": 0, "lag": 4}
    burrows = {"topic": "clicks", "partition": 0, "current_lag": 4}

    assert (
        lags(the_group(json.dumps(bare))) == lags(the_group(json.dumps(burrows))) == {"clicks": [4]}
    )
