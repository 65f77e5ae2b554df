"""A restart repeats no alert, and what cannot be kept is said."""

import json
import threading
from pathlib import Path

import pytest

from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from tests.watching.simulated import SimulatedCluster, SimulatedGroup
from tests.watching.test_watch import Polled
from watching.alerts import Judged
from watching.memory import StateError, read_told, write_told
from watching.metrics import GroupCollector

_STOPPED = Judged(VerdictKind.STOPPED, Severity.ALARM)


def test_an_alert_that_stands_is_not_repeated_after_a_restart_and_still_ends(
    tmp_path: Path,
) -> None:
    group, file = SimulatedGroup("g"), tmp_path / "state.json"
    cluster = SimulatedCluster([group])
    before = Polled(cluster)
    before.poll(3)
    group.stopped.add("a")
    before.poll(3)
    write_told(file, before.watch.alerts.told)

    after = Polled(cluster)
    after.watch.alerts.resume(read_told(file))
    after.poll(4)

    assert [each["event"] for each in before.sent] == ["begun"]
    assert [each["event"] for each in after.sent if each["event"] == "begun"] == []
    group.stopped.clear()
    after.poll(8)
    assert after.sent[-1]["event"] == "ended"


def test_an_alert_on_a_group_that_went_meanwhile_ends_at_the_first_poll() -> None:
    polled = Polled(SimulatedCluster([SimulatedGroup("g")]))
    polled.watch.alerts.resume({"gone": _STOPPED})

    polled.poll()

    assert [(each["event"], each["group"]) for each in polled.sent] == [("ended", "gone")]


def test_what_is_written_is_read_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    told = {'a "group"\n': _STOPPED, "ä": Judged(VerdictKind.FULL, Severity.WARNING)}

    write_told(tmp_path / "state.json", told)

    assert read_told(tmp_path / "state.json") == told
    assert [file.name for file in tmp_path.iterdir()] == ["state.json"]
    assert read_told(tmp_path / "none.json") == {}


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "null", "{}", '{"format": 2, "told": {}}', '{"format": 1, "told": [1]}'),
        json.dumps({"format": 1, "told": {"g": {"kind": "no-kind", "severity": "alarm"}}}),
        json.dumps({"format": 1, "told": {"g": {"kind": "full", "severity": 7}}}),
        "[" * 100_000,
    ],
)
def test_a_file_that_watch_has_not_written_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_text(text)

    with pytest.raises(StateError, match="no state that watch"):
        read_told(file)


def test_a_poll_that_takes_longer_than_the_interval_is_said_once_and_counted() -> None:
    polls = 0
    stop = threading.Event()
    cluster = SimulatedCluster([SimulatedGroup("g")])
    polled = Polled(cluster, interval_s=1e-6)
    polled.watch.stop = stop

    def count() -> None:
        nonlocal polls
        polls += 1
        if polls == 3:
            stop.set()

    polled.watch.run(count)

    assert polled.sample("kafka_assignments_late_polls_total") == 3
    assert len([line for line in polled.said if "the interval" in line]) == 1


def test_what_the_limit_of_series_leaves_out_is_a_line() -> None:
    polled = Polled(SimulatedCluster([SimulatedGroup("g"), SimulatedGroup("h", topic="t")]))
    polled.poll()

    enough, partitions, groups = (
        GroupCollector(polled.watch.found, None, most).left_out() for most in (10_000, 40, 12)
    )

    assert enough == ""
    assert "1 without series of a partition" in partitions
    assert "1 without series of a group" in groups
