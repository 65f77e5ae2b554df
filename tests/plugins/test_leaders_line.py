"""The line that a leader logs, pasted: what it saw, and what it decided, to the last partition."""

import json
import logging

import numpy as np
import pytest
from kafka_assignments_plugins.leader import Joined, Settings, decide
from kafka_assignments_plugins.offsets import Offsets

from assignors.registry import STRATEGIES
from evaluation.clients import JAVA
from evaluation.judging import JudgeBy, Measure, judged
from evaluation.running import Origin, running
from sources.text import read_text

PARTITIONS = [("orders", p) for p in range(24)]


@pytest.fixture
def decided(caplog: pytest.LogCaptureFixture) -> tuple[str, dict[str, set[str]]]:
    """A line of a log, and each member's partitions after all rounds."""
    caplog.set_level(logging.INFO)
    random = np.random.default_rng(5)
    members = {
        "m0": Joined(["orders"], PARTITIONS[:14], 7),
        "m1": Joined(["orders"], PARTITIONS[14:23], 7),
        "m2": Joined(["orders"]),
    }
    lags, arrived = ((random.pareto(1.1, 24) * 1000).astype(int).tolist() for _ in range(2))
    offsets = Offsets(
        end=dict(zip(PARTITIONS, lags, strict=True)),
        arrived=dict(zip(PARTITIONS, arrived, strict=True)),
        committed=dict.fromkeys(PARTITIONS, 0),
    )
    settings = Settings("billing", log_inputs=True)
    shares = decide({"orders": 24}, members, lambda _: offsets, settings, is_cooperative=True)
    line = next(text for text in caplog.messages if " saw " in text)
    return f"2026-11-24 10:00:00,123 INFO [kafka_assignments_plugins] {line}", {
        member: {f"{t}-{p}" for t, p in (*share.partitions, *share.promised)}
        for member, share in shares.items()
    }


def test_the_paste_shows_what_the_leader_saw_and_predicts_what_it_decided(
    decided: tuple[str, dict[str, set[str]]],
) -> None:
    line, target = decided

    (reading,) = read_text(f"something else\n{line}\nmore\n")

    group = judged(reading.group, Measure(by=JudgeBy.WORK), reading.group.rates)
    read = JAVA.strategy_called(reading.strategy or "")
    now = running(group, JAVA.settable, read=read)
    owners = STRATEGIES["load-sticky"].settle(group)
    assert reading.group.id == "billing"
    assert (now.strategy, now.origin) == (STRATEGIES["load-sticky"], Origin.READ)
    assert {m: set(ps) for m, ps in group.named(owners).items()} == target


def test_of_several_lines_of_a_group_the_newest_counts(
    decided: tuple[str, dict[str, set[str]]],
) -> None:
    line, _ = decided
    head, _, text = line.partition(" saw ")
    older = json.loads(text)
    older["lags"] = {"orders": [1] * 24}

    (reading,) = read_text(f"{head} saw {json.dumps(older)}\n{line}")

    assert reading.group.lags.max() > 1
