"""Whole rebalances through the assignors for Python clients, without a broker."""

import json
import logging
from collections.abc import Mapping, Sequence
from threading import Event
from typing import Any

import numpy as np
import pytest
from kafka_assignments_plugins.for_kafka_python import LoadStickyAssignor
from kafka_assignments_plugins.joined import Joined
from kafka_assignments_plugins.leader import Settings, decide
from kafka_assignments_plugins.offsets import OffsetsRead, read_in_time
from kafka_assignments_plugins.user_data import Partition

from assignors.lag.load_sticky import load_sticky
from assignors.sticky.kafka import sticky
from sources.group_json import decode
from tests.plugins.rebalances import CLIENT, Broker, Cooperative, Eager

SIZES = {"a": 24, "b": 24}


def drawn(random: np.random.Generator) -> Broker:
    lags = {(t, p): int(random.pareto(1.2) * 100) for t, size in SIZES.items() for p in range(size)}
    return Broker(SIZES, lags)


def settled(group: Cooperative, random: np.random.Generator, *, drift: float) -> int:
    """Rebalance until nothing is given up, under another leader and other lags each time."""
    for rounds in range(1, 10):
        leader = str(random.choice(sorted(group.assignors)))
        if not group.round(leader):
            return rounds
        for partition, lag in group.broker.lags.items():
            group.broker.lags[partition] = int(lag * random.uniform(1 - drift, 1 + drift))
    return 10


def about_to_join(
    random: np.random.Generator,
) -> tuple[Cooperative, Mapping[str, tuple[str, ...]]]:
    """Return a settled group of three that a fourth has joined, and what the strategy aims at."""
    broker = drawn(random)
    group = Cooperative(broker)
    for member in ("m0", "m1", "m2"):
        group.join(member)
    settled(group, random, drift=0)
    group.join("m3")
    before = broker.group({m: sorted(held) for m, held in group.owned.items()})
    return group, before.named(load_sticky(before))


@pytest.mark.parametrize("drift", [0.0, 0.5])
def test_a_join_takes_two_rounds_and_ends_where_the_first_one_aimed(drift: float) -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        group, aim = about_to_join(random)

        rounds = settled(group, random, drift=drift)

        names = {m: {f"{t}-{p}" for t, p in held} for m, held in group.owned.items()}
        assert rounds == 2
        assert names == {member: set(partitions) for member, partitions in aim.items()}
        assert group.owned["m3"]


def test_members_too_slow_to_hear_of_a_round_delay_its_target_and_do_not_change_it() -> None:
    random = np.random.default_rng(6)
    most_missed = 0
    for _ in range(20):
        group, aim = about_to_join(random)

        whole, missed, goes_on = 0, 0, True
        while goes_on:
            leader = str(random.choice(sorted(group.assignors)))
            slow = [m for m in group.assignors if m != leader and random.random() < 0.4]
            goes_on = group.round(leader, slow)
            whole, missed = whole + (not group.was_missed), missed + group.was_missed
            group.broker.lags = drawn(random).lags

        names = {m: {f"{t}-{p}" for t, p in held} for m, held in group.owned.items()}
        assert names == {member: set(partitions) for member, partitions in aim.items()}
        assert whole <= 2
        most_missed = max(most_missed, missed)
    assert most_missed > 1


def test_the_second_round_reads_nothing() -> None:
    random = np.random.default_rng(2)
    broker = drawn(random)
    group = Cooperative(broker)
    for member in ("m0", "m1"):
        group.join(member)
    settled(group, random, drift=0)
    group.join("m2")
    broker.reads = 0

    settled(group, random, drift=0)

    assert broker.reads == 1


def test_a_promise_to_a_member_that_left_is_void() -> None:
    random = np.random.default_rng(3)
    group = Cooperative(drawn(random))
    for member in ("m0", "m1"):
        group.join(member)
    settled(group, random, drift=0)
    group.join("m2")
    group.round("m0")
    group.leave("m2")

    settled(group, random, drift=0)

    assert set.union(*group.owned.values()) == set(group.broker.lags)


def test_consumers_of_aiokafka_share_nothing_and_keep_what_they_own() -> None:
    broker = drawn(np.random.default_rng(4))
    group = Eager(broker)
    for member in ("m0", "m1", "m2"):
        group.join(member)
    group.rebalance("m0")
    group.join("m3")
    before = broker.group(group.owned)

    group.rebalance("m2")

    names = {m: tuple(f"{t}-{p}" for t, p in held) for m, held in group.owned.items()}
    assert names == before.named(load_sticky(before))
    kept = dict(group.owned)
    group.rebalance("m1")
    assert group.owned == kept


def test_what_hangs_or_fails_is_waited_for_no_longer_than_set() -> None:
    never = Event()

    def hangs(offsets: OffsetsRead, partitions: Sequence[Partition]) -> None:
        never.wait()
        offsets.end = dict.fromkeys(partitions, 5)

    def fails(*_: object) -> None:
        message = "no right"
        raise PermissionError(message)

    slow, refused = (read_in_time(how, [("a", 0)], 0.05) for how in (hangs, fails))

    assert not slow.end
    assert slow.problem == "not all offsets came within 0.05 s"
    assert refused.problem == "PermissionError: no right"
    never.set()


def test_without_any_load_the_target_is_that_of_kafkas_sticky(
    caplog: pytest.LogCaptureFixture,
) -> None:
    members = {"m0": Joined(["a"], [("a", 0), ("a", 1), ("a", 2)], 3), "m1": Joined(["a"])}
    nothing = OffsetsRead(problem="KafkaTimeoutError: too late")

    shares = decide({"a": 3}, members, lambda _: nothing, Settings("g"), is_cooperative=True)

    group = Broker({"a": 3}, {("a", p): 0 for p in range(3)}).group(
        {m: joined.owned for m, joined in members.items()}
    )
    aim = {m: {*share.partitions, *share.promised} for m, share in shares.items()}
    expected = group.named(sticky(group))
    assert {m: {f"{t}-{p}" for t, p in ps} for m, ps in aim.items()} == {
        member: set(partitions) for member, partitions in expected.items()
    }
    assert "3 of 3 partitions of g: KafkaTimeoutError: too late" in caplog.text


def test_two_newest_claims_withhold_a_partition_for_a_round() -> None:
    members = {"m0": Joined(["a"], [("a", 0)], 3), "m1": Joined(["a"], [("a", 0)], 3)}
    read = OffsetsRead(end={("a", 0): 5}, arrived={("a", 0): 0}, committed={})

    shares = decide({"a": 1}, members, lambda _: read, Settings("g"), is_cooperative=True)

    assert [share.partitions for share in shares.values()] == [(), ()]
    assert [share.promised for share in shares.values()] == [(("a", 0),), ()]


def test_what_the_leader_saw_is_a_group_that_the_command_line_reads(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    members = {"m0": Joined(["a"], [("a", 0), ("a", 1)], 3), "m1": Joined(["a"])}
    read = OffsetsRead(
        end={("a", 0): 9, ("a", 1): 8, ("a", 2): 7},
        arrived={("a", p): 300 for p in range(3)},
        committed={("a", p): 0 for p in range(3)},
    )
    settings = Settings("g", log_inputs=True)

    decide({"a": 3}, members, lambda _: read, settings, is_cooperative=True)

    message = next(text for text in caplog.messages if " saw " in text)
    seen = decode(message.partition(" saw ")[2]).group
    assert seen.lags.tolist() == [9, 8, 7]
    assert seen.present_owners.tolist() == [0, 0, -1]
    assert seen.offsets.rates is not None
    assert seen.offsets.rates.tolist() == [1.0, 1.0, 1.0]
    assert json.loads(message.partition(" saw ")[2])["horizon_ms"] == 300_000


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"timeout_s": 5}, "at most 2"),
        ({"auto_offset_reset": "none"}, "latest or earliest"),
        ({"moves_share": 2}, "from 0 to 1"),
    ],
)
def test_a_wrong_setting_fails_where_somebody_sees_it(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        LoadStickyAssignor("g", CLIENT, **settings)


def test_a_generation_that_only_user_data_claims_is_not_believed() -> None:
    random = np.random.default_rng(5)
    broker = drawn(random)
    group, eager = Cooperative(broker), Eager(broker)
    for member in ("m0", "m1", "m2"):
        group.join(member)
        eager.join(member)
    settled(group, random, drift=0)
    before = {member: set(held) for member, held in group.owned.items()}

    gave_up = [group.round("m0", liars=["m1"]) for _ in range(4)]
    for _ in range(3):
        eager.rebalance("m0", liars=["m1"])

    assert gave_up == [False] * 4
    assert {member: set(held) for member, held in group.owned.items()} == before
    assert sum(map(len, eager.owned.values())) == sum(SIZES.values())
