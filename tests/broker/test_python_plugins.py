"""Consumers of kafka-python and aiokafka under our own assignor, on a real broker."""

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from threading import Event, Thread
from typing import Any, Final

import numpy as np
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.rebalance.observed import Observed, observed
from sources.errors import SourceError
from sources.live import config_of, read_group
from tests.broker.guarded import Guarded, guarded_cluster
from tests.broker.kafka_node import NEVER_KILLED, Cluster, running_cluster
from tests.broker.plugin_groups import coordinator, make_topics, predicted, traffic
from tests.broker.python_consumers import CLIENTS, LOGGER, Holders, Listener, ToRun
from tests.live.on_a_broker import commit, make_topic
from tests.patience import await_

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]
_ROOT: Final = Path(__file__).parents[2]
_TIMEOUT_S: Final = 90
_RECORDS: Final = [400, 3, 90, 55, 7, 120, 30, 1, 0, 66, 21, 9, 250, 2, 14, 80]
_SAW: Final = " saw "
_STILL: Final = {"auto_offset_reset": "earliest", "horizon_s": 0.0, "log_inputs": True}
_CANARY: Final = "canary-5d02"
clients = pytest.mark.parametrize("client", CLIENTS)


class Lines(logging.Handler):
    """What assignors of this process log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())

    def seen(self, group: str) -> list[dict[str, Any]]:
        found = (json.loads(t.partition(_SAW)[2]) for t in self.texts if _SAW in t)
        return [each for each in found if each["id"] == group]


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler, logger = Lines(), logging.getLogger(LOGGER)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(level)


@dataclass
class Consumers:
    """The consumers of one group, in threads, and in one process at most."""

    client: str
    asked: ToRun
    holders: Holders = field(default_factory=Holders)
    ends: list[tuple[Event, Thread]] = field(default_factory=list)
    doomed: int = 0
    """How many run in a process."""

    def join(self) -> None:
        end = Event()
        run = CLIENTS[self.client]
        thread = Thread(target=run, args=(self.asked, Listener(self.holders), end), daemon=True)
        self.ends.append((end, thread))
        thread.start()

    def leave(self) -> None:
        end, thread = self.ends.pop(0)
        end.set()
        thread.join(_TIMEOUT_S)

    def stable(self, differs_from: Group | None = None) -> Group:
        """Return the group once all its consumers own something and nothing changes any more."""
        until, last = time.monotonic() + _TIMEOUT_S, None
        config = config_of("", self.asked.servers, {"auto.offset.reset": "earliest"})
        while time.monotonic() < until:
            time.sleep(1)
            try:
                group = read_group(config, self.asked.group).group
            except SourceError:
                continue
            owned = {m: sorted(p) for m, p in group.named(group.present_owners).items()}
            members = len(self.ends) + self.doomed
            owning = sum(1 for partitions in owned.values() if partitions)
            is_whole = (group.present_owners >= 0).all() and (
                owning == members == group.member_count
            )
            is_new = differs_from is None or group.members != differs_from.members
            if is_whole and is_new and owned == last:
                return group
            last = owned
        raise AssertionError(last)


@contextmanager
def consumers(client: str, asked: ToRun) -> Iterator[Consumers]:
    """Run a group, and stop it whatever happens; its topic is there."""
    group = Consumers(client, asked)
    try:
        yield group
    finally:
        while group.ends:
            group.leave()


def with_lag(servers: str, name: str) -> ToRun:
    """Return a consumer of a new topic with a backlog that nobody reads."""
    make_topic(servers, name, _RECORDS)
    commit(servers, name, {(name, partition): 0 for partition in range(len(_RECORDS))})
    return ToRun(servers, name, name, settings=_STILL)


def is_as_its_leader_saw(group: Group, lines: Lines) -> bool:
    places = {
        member: {tuple(name.rsplit("-", 1)) for name in names}
        for member, names in group.named(group.present_owners).items()
    }
    seen = lines.seen(group.id)[-1]
    return places == {m: {(t, str(p)) for t, p in held} for m, held in predicted(seen).items()}


@clients
def test_joins_and_leaves_end_as_predicted_and_nobody_stays_idle(
    kafka: Cluster, client: str, lines: Lines
) -> None:
    with consumers(client, with_lag(kafka.bootstrap, f"still-{client}")) as group:
        group.join()
        group.join()
        first = group.stable()
        group.join()
        joined = group.stable(first)
        is_line_right = is_as_its_leader_saw(joined, lines)
        group.leave()
        left = group.stable(joined)

    for before, after in ((first, joined), (joined, left)):
        event = _event(before, after)
        assert event.unlike_prediction == 0
        assert np.bincount(after.present_owners).min() > 0
    assert is_line_right
    assert group.holders.twice == []


def _event(before: Group, after: Group) -> Observed:
    found = observed(before, after, OffsetHistory(), STRATEGIES["load-sticky"])
    assert found is not None
    return found


@clients
def test_under_traffic_every_rebalance_is_as_its_leader_saw_it(
    kafka: Cluster, client: str, lines: Lines
) -> None:
    name = f"busy-{client}"
    make_topics(kafka.bootstrap, {name: 16})
    settings = {"auto_offset_reset": "earliest", "log_inputs": True}
    asked = ToRun(kafka.bootstrap, name, name, reads_on=True, settings=settings)
    rates = {(name, p): 100 / (p + 1) for p in range(16)}
    as_seen = []
    with traffic(kafka.bootstrap, rates), consumers(client, asked) as group:
        group.join()
        group.join()
        after = group.stable()
        as_seen.append(is_as_its_leader_saw(after, lines))
        for change in (group.join, group.leave):
            change()
            after = group.stable(after)
            as_seen.append(is_as_its_leader_saw(after, lines))

    assert as_seen == [True, True, True]
    assert lines.seen(name)[-1]["arrived"][name][0] > 0
    assert group.holders.twice == []


@clients
def test_a_leader_killed_in_a_rebalance_leaves_nothing_unowned_and_nothing_owned_twice(
    kafka: Cluster, client: str, tmp_path: Path
) -> None:
    asked = with_lag(kafka.bootstrap, f"killed-{client}")
    log = tmp_path / "leader.log"
    with process(client, asked, log) as leader, consumers(client, asked) as group:
        group.doomed = 1
        alone = group.stable()
        group.join()
        before = group.stable(alone)
        led = log.read_text().count(_SAW)
        group.join()
        await_(lambda: log.read_text().count(_SAW) > led)
        leader.kill()
        group.doomed = 0
        after = group.stable(before)

    assert not set(alone.members) & set(after.members)
    assert np.bincount(after.present_owners).min() > 0
    assert group.holders.twice == []


@contextmanager
def process(client: str, asked: ToRun, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a consumer in a process of its own."""
    command = [sys.executable, "-m", "tests.broker.python_consumers", client]
    paths = os.pathsep.join([str(_ROOT), str(_ROOT / "plugins" / "python")])
    with (
        log.open("wb") as stderr,
        subprocess.Popen(  # noqa: S603 -- our own module
            [*command, json.dumps(asked._asdict())],
            stderr=stderr,
            cwd=_ROOT,
            env={**os.environ, "PYTHONPATH": paths},
        ) as running,
    ):
        try:
            yield running
        finally:
            running.kill()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with guarded_cluster(tmp_path_factory.mktemp("guarded"), _CANARY) as guarded:
        yield guarded


@clients
@pytest.mark.parametrize("password", [f"mallory-{_CANARY}", "wrong"], ids=["no rights", "wrong"])
def test_who_may_not_read_offsets_gets_even_counts(
    guarded: Guarded, client: str, password: str, lines: Lines
) -> None:
    name = f"denied-{client}-{len(password)}"
    asked = with_lag(guarded.cluster.bootstrap, name)._replace(
        reader={
            "bootstrap_servers": guarded.login,
            "security_protocol": "SASL_PLAINTEXT",
            "sasl_mechanism": "PLAIN",
            "sasl_plain_username": "mallory",
            "sasl_plain_password": password,
        }
    )
    with consumers(client, asked) as group:
        group.join()
        first = group.stable()
        group.join()
        after = group.stable(first)
        is_line_right = is_as_its_leader_saw(after, lines)

    unread = f"could not read the load of 16 of 16 partitions of {name}: "
    assert np.bincount(after.present_owners).tolist() == [8, 8]
    assert is_line_right
    assert [text for text in lines.texts if unread in text]
    assert _CANARY not in "".join(lines.texts)
    assert group.holders.twice == []


@pytest.mark.deep
def test_a_hung_broker_stops_no_rebalance(tmp_path: Path, lines: Lines) -> None:
    client = "kafka-python"  # aiokafka itself waits for the hung broker, whatever assigns
    with running_cluster(tmp_path, nodes=3, settings=NEVER_KILLED) as cluster:
        name = "hung"
        make_topics(cluster.bootstrap, {name: 24}, {name: [[p % 3 + 1] for p in range(24)]})
        commit(cluster.bootstrap, name, {(name, p): 0 for p in range(24)})
        with consumers(client, ToRun(cluster.bootstrap, name, name, settings=_STILL)) as group:
            group.join()
            group.join()
            before = group.stable()
            hung = cluster.nodes[1 if coordinator(cluster, name) == 3 else 2]
            assert hung.process is not None
            hung.process.send_signal(SIGSTOP)
            group.join()
            await_(lambda: group.holders.has_all(24, by=3))
            hung.process.send_signal(SIGCONT)
            during = group.stable(before)
            is_line_right = is_as_its_leader_saw(during, lines)

    assert is_line_right
    assert np.bincount(during.present_owners).min() > 0
    assert group.holders.twice == []
