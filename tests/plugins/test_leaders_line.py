"""The line that a leader logs, pasted: what it saw, and what it decided, to the last partition."""

import json
import logging
from io import BytesIO, StringIO

import numpy as np
import pytest
from kafka_assignments_plugins.joined import Joined
from kafka_assignments_plugins.leader import Settings, decide
from kafka_assignments_plugins.offsets import OffsetsRead

from assign import main
from assignors.load_settings import LoadSettings
from assignors.model import UNKNOWN
from assignors.registry import STRATEGIES
from evaluation.assuming.clients import JAVA
from evaluation.assuming.running import Origin, running
from evaluation.judging import JudgeBy, Measure, judged
from sources import group_json
from sources.text import read_text
from ui.caching import digest
from ui.draft import checks
from ui.draft.tables import draft_of

PARTITIONS = [("orders", p) for p in range(24)]


@pytest.fixture(
    params=[{}, {"moves_share": 0.5, "tolerance": 0.0}, {"moves_share": 0.0, "tolerance": 0.2}],
    ids=["by default", "half may move", "nothing may move"],
)
def decided(
    caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> tuple[str, dict[str, set[str]]]:
    """A line of a log, and each member's partitions after all rounds."""
    caplog.set_level(logging.INFO)
    random = np.random.default_rng(5)
    members = {
        "m0": Joined(["orders"], PARTITIONS[:14], 7),
        "m1": Joined(["orders"], PARTITIONS[14:23], 7),
        "m2": Joined(["orders"]),
    }
    lags, arrived = ((random.pareto(1.1, 24) * 1000).astype(int).tolist() for _ in range(2))
    offsets = OffsetsRead(
        end=dict(zip(PARTITIONS, lags, strict=True)),
        arrived=dict(zip(PARTITIONS, arrived, strict=True)),
        committed=dict.fromkeys(PARTITIONS, 0),
    )
    settings = Settings("billing", log_inputs=True, **request.param)
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

    assert reading.weighed is not None
    group = judged(reading.group, reading.weighed, reading.group.offsets.rates)
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


JAVAS_LINE = (
    '[main] INFO kafkaassignments.LoadStickyAssignor - load-sticky saw {"id":"billing",'
    '"strategy":"load-sticky","auto_offset_reset":"earliest","topics":{"t":6},"members":['
    '{"id":"c0","instance_id":null,"rack":null,"topics":["t"],'
    '"owned":[["t",0],["t",1],["t",2]],"generation":3},'
    '{"id":"c1","instance_id":null,"rack":null,"topics":["t"],'
    '"owned":[["t",3],["t",4],["t",5]],"generation":3}],'
    '"lags":{"t":[10,0,7,900,0,400]},"arrived":{"t":[40000000,1000,100,0,50,1]},'
    '"horizon_ms":3000,"moves_share":0.1,"tolerance":0.05,'
    '"rates":{"t":[1.3333333333333334E7,333.3333333333333,33.333333333333336,0.0,'
    "16.666666666666668,0.3333333333333333]},"
    '"offsets":{"t":{"begin":[0,0,0,0,0,0],"end":[40000010,1000,107,900,50,401],'
    '"committed":[40000000,1000,100,0,50,1]}}}'
)
"""As ``InputsLine`` writes it, with ``assignor.load.horizon.ms=3000``."""


def test_javas_line_is_weighed_over_the_leaders_own_horizon() -> None:
    (reading,) = read_text(JAVAS_LINE)

    assert reading.weighed == Measure(by=JudgeBy.WORK, horizon_min=0.05)
    weighed = judged(reading.group, reading.weighed, reading.group.offsets.rates)
    assert weighed.weights.tolist() == [40000010, 1000, 107, 900, 50, 401]
    assert group_json.decode(group_json.encode(reading)).weighed == reading.weighed


def test_a_load_is_unknown_to_a_leader_that_could_not_read_one_part_of_it() -> None:
    line = JAVAS_LINE.replace("[10,0,", "[null,0,").replace("333.3333333333333,", "null,")

    (reading,) = read_text(line)

    assert reading.weighed is not None
    weighed = judged(reading.group, reading.weighed, reading.group.offsets.rates)
    assert weighed.weights.tolist() == [UNKNOWN, UNKNOWN, 107, 900, 50, 401]


@pytest.mark.parametrize(
    ("horizon_ms", "target", "largest"),
    [
        ("3000", {"c0": [["t", 0], ["t", 2]], "c1": [["t", p] for p in (1, 3, 4, 5)]}, 40000117),
        ("0", {"c0": [["t", p] for p in (0, 1, 2, 5)], "c1": [["t", 3], ["t", 4]]}, 900),
    ],
    ids=["3 s", "none"],
)
def test_the_command_line_needs_no_option_to_say_what_a_leader_decided(
    horizon_ms: str, target: dict[str, list[list[object]]], largest: int
) -> None:
    line = JAVAS_LINE.replace('"horizon_ms":3000', f'"horizon_ms":{horizon_ms}')
    out, err = BytesIO(), StringIO()

    status = main([], iter([line.encode()]), out, err)

    answer = json.loads(out.getvalue())
    assert (status, err.getvalue(), answer["strategy"]) == (0, "", "load-sticky")
    assert answer["target"] == target
    assert answer["metrics"]["max_load"] == largest


def test_budget_and_tolerance_of_the_leader_count_and_stay_with_the_group() -> None:
    usually, freely = '"moves_share":0.1,"tolerance":0.05', '"moves_share":1.0,"tolerance":0.0'
    line = JAVAS_LINE.replace(usually, freely)

    (usual,), (free,) = read_text(JAVAS_LINE), read_text(line)

    assert free.group.load_settings == LoadSettings(moves_permille=1000, tolerance=0)
    again = group_json.decode(group_json.encode(free))
    assert again.group.load_settings == free.group.load_settings
    edited = checks.read(draft_of(free.group)).group
    assert edited is not None
    assert edited.load_settings == free.group.load_settings
    assert digest(free.group) != digest(usual.group)
    settle = STRATEGIES["load-sticky"].settle
    assert settle(usual.group).tolist() == [0, 0, 0, 1, 1, 0]
    assert settle(free.group).tolist() == [0, 0, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("strategy", "instead"),
    [("load-sticky", "cooperative-sticky"), ("load-sticky-eager", "sticky")],
)
@pytest.mark.parametrize("horizon_ms", ["3000", "0"])
def test_a_leader_that_could_read_nothing_assigned_as_kafkas_sticky_assignors_do(
    strategy: str, instead: str, horizon_ms: str
) -> None:
    line = JAVAS_LINE.replace("[10,0,7,900,0,400]", "[null,null,null,null,null,null]").replace(
        '"strategy":"load-sticky"', f'"strategy":"{strategy}"'
    )

    (reading,) = read_text(line.replace('"horizon_ms":3000', f'"horizon_ms":{horizon_ms}'))

    assert (reading.strategy, reading.weighed) == (instead, None)
