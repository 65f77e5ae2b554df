"""An answer as JSON: each key has one meaning at every option, and each figure its source."""

import json
from dataclasses import replace
from typing import Any, Final, cast

import pytest

from assignors.kinds import GroupKind
from evaluation.answering.as_data import as_data
from evaluation.answering.compose import answer_of
from evaluation.answering.verdicts import Verdict
from evaluation.answering.words import words_of
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from sources.text import read_text
from tests.answers import NextRebalance
from tests.pasted import the_group

pytestmark = pytest.mark.slow
_HEAD: Final = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
)


def snapshots(*offsets: list[tuple[int, int]], each: int = 2) -> str:
    """Return a snapshot a minute of the committed and end offsets of each partition."""
    texts = []
    for minute, partitions in enumerate(offsets):
        rows = [
            f"pay orders {p} {read} {end} {end - read} c{(k := p // each)}-id /10.0.0.{k} c{k}"
            for p, (read, end) in enumerate(partitions)
        ]
        texts.append(f"2026-11-27T10:0{minute}:00Z\n{_HEAD}" + "\n".join(rows) + "\n")
    return "\n".join(texts)


def data(text: str) -> dict[str, Any]:
    return as_data(answer_of(given_of(the_group(text)), NextRebalance()))


def two_causes() -> dict[str, Any]:
    """Return that c0 has stopped, c1 reads 80 of 160/s, and c2 and c3 keep up."""
    before = [(1_000, 3_000)] * 2 + [(1_000, 4_000)] * 2 + [(1_000, 1_001)] * 4
    after = [(1_000, 4_200)] * 2 + [(3_400, 8_800)] * 2 + [(2_200, 2_201)] * 4
    return data(snapshots(before, after))


def test_every_cause_is_told_not_only_the_most_urgent() -> None:
    found = two_causes()

    assert [(cause["kind"], cause["members"]) for cause in found["causes"]] == [
        ("stopped-consumers", ["c0-id"]),
        ("never-catches-up", ["c1-id"]),
    ]
    assert found["verdict"] == found["causes"][0]
    _, _, besides = found["text"]["evidence"].partition("Besides: ")
    assert besides.startswith("c1")


def test_beside_the_verdict_each_kind_of_cause_is_told_once_and_the_data_has_all() -> None:
    # Of 30 consumers each reads one of two partitions; the other stands, but for those of c29.
    before = [(1_000, 1_001), (1_000, 1_500)] * 29 + [(1_000, 1_001)] * 2
    after = [(7_000, 7_001), (1_000, 7_500)] * 29 + [(7_000, 7_001)] * 2
    found = data(snapshots(before, after))

    evidence = found["text"]["evidence"]

    assert {(cause["kind"], len(cause["partitions"])) for cause in found["causes"]} == {
        ("stuck-record", 1)
    }
    assert len(found["causes"]) == 29
    assert found["verdict"]["partitions"] == ["orders-1"]
    assert evidence.endswith(
        "Besides: The same is true of orders-3, orders-5, orders-7 and 25 more."
    )


def test_causes_of_more_than_three_kinds_are_counted() -> None:
    text = snapshots([(1_000, 3_000)] * 2, [(1_000, 4_200)] * 2)
    kinds = (
        VerdictKind.STUCK_RECORD,
        VerdictKind.SLOW_TOPIC,
        VerdictKind.OFFSETS_RESET,
        VerdictKind.OFFSETS_SKIPPED,
        VerdictKind.OFFSETS_SKIPPED,
    )
    causes = (Verdict(kind=kind, partitions=(k % 2,)) for k, kind in enumerate(kinds))
    found = replace(answer_of(given_of(the_group(text)), NextRebalance()), causes=tuple(causes))

    assert words_of(found).evidence.endswith("Not named here: 2 further causes.")


def test_when_the_backlog_ends_is_the_groups_and_who_catches_up_is_told_apart() -> None:
    found = two_causes()

    (keep,) = (option for option in found["options"] if option["action"] == "keep")
    assert found["proposal"]["action"] == "restart"
    assert found["proposal"]["caught_up_s"] == 160  # c0: 6,400 behind, 80 - 40 per second
    assert (found["proposal"]["backlog_ends_s"], keep["backlog_ends_s"]) == ("never", "never")


def test_the_lag_of_a_verdict_is_its_own_and_that_of_the_group_stands_in_the_facts() -> None:
    found = two_causes()

    assert found["verdict"]["figures"]["lag_records"] == 6_400
    assert [cause["figures"]["lag_records"] for cause in found["causes"]] == [6_400, 10_800]
    assert found["facts"]["lag_records"] == 6_400 + 10_800 + 4
    assert found["facts"]["unknown_lags"] == 0


def test_what_consumers_read_that_merely_keep_up_is_the_least_that_they_can() -> None:
    steady = data(snapshots([(1_000, 1_001)] * 4, [(1_600, 1_601)] * 4))

    assert steady["facts"]["consumer_reads_per_s"] == 20
    assert steady["facts"]["consumer_reads_is"] == "at_least"
    assert two_causes()["facts"]["consumer_reads_is"] == "measured"


def test_a_client_that_nothing_gives_away_is_assumed() -> None:
    text = snapshots([(1_000, 1_001)] * 4)

    assert data(text)["facts"]["client_is"] == "assumed"
    inferred = data(text.replace(" c0", " rdkafka-c0").replace(" c1", " rdkafka-c1"))
    assert (inferred["facts"]["client"], inferred["facts"]["client_is"]) == (
        "librdkafka",
        "inferred",
    )


def test_that_somebody_gets_what_nobody_owns_today_is_no_loss() -> None:
    owned = snapshots([(1_000, 1_001)] * 4, [(1_600, 1_601)] * 4).splitlines()
    left = [f"pay orders {p} 1000 {end} {end - 1000} - - -" for p in (4, 5) for end in (4_000,)]
    text = "\n".join(
        [*owned[:6], *left, *owned[6:], *(row.replace("4000", "4600") for row in left)]
    )

    found = data(text)

    switches = [option for option in found["options"] if option["action"] == "switch"]
    assert found["verdict"]["kind"] == "nobody-reads"
    assert switches
    assert {option["gain"] for option in switches} == {None}
    assert {option["why_not"] for option in switches} == {"too_little"}


def test_a_switch_to_what_clients_list_by_default_takes_one_rolling_restart() -> None:
    found = data(snapshots([(0, 1_000)] * 3 + [(0, 9_000)]))  # as Range assigns
    switches = {o["strategy"]: o for o in found["options"] if o["strategy"]}

    assert switches["cooperative-sticky"]["restarts"] == 2
    assert switches["cooperative-sticky"]["fewest_restarts"] == 1
    assert switches["roundrobin"]["fewest_restarts"] == 2


def test_what_was_deleted_unread_bars_no_switch_and_no_sentence_says_so() -> None:
    head = _HEAD.replace("CURRENT-OFFSET", "LOG-START-OFFSET CURRENT-OFFSET")
    rows = "\n".join(
        f"pay orders {p} 1500 {read} 3500 {3_500 - max(read, 1_500)} c{p}-id /h c{p}"
        for p, read in enumerate((1_000, 3_400))
    )
    found = data(f"{head}{rows}\n")

    assert found["verdict"]["kind"] == "records-lost"
    reasons = {o["why_not"] for o in found["options"] if o["action"] == "switch"}
    assert "cause_stands" not in reasons
    assert "will not help" not in found["text"]["action"]


def test_what_the_rules_of_a_kind_call_for_is_a_proposal() -> None:
    worker = "10.0.0.1:8083"
    running = {"state": "RUNNING", "worker_id": worker}
    tasks = [{"id": 0, **running}, {"id": 1, "state": "FAILED", "worker_id": worker, "trace": "No"}]
    sink = {"name": "sink", "connector": running, "tasks": tasks, "type": "sink"}
    (reading,) = read_text(json.dumps({"sink": {"status": sink}}))

    found = as_data(answer_of(given_of(reading), NextRebalance()))

    proposal = cast("dict[str, object]", found["proposal"])
    assert proposal["action"] == "restart-tasks"
    assert cast("list[dict[str, object]]", found["options"])[-1] == proposal
    verdict = cast("dict[str, object]", found["verdict"])
    assert (verdict["kind"], verdict["work"]) == ("tasks-failed", ["sink-1"])
    assert verdict["severity"] == "alarm"
    assert not any("subscribes" in note for note in reading.notes)


def test_the_causes_of_a_group_of_another_kind_are_those_that_its_own_rules_leave() -> None:
    head = "GROUP TOPIC PARTITION LEADER-EPOCH START-OFFSET LAG\n"
    (reading,) = read_text(f"{head}jobs orders 0 0 500 900\njobs orders 1 0 0 0\n")

    assert reading.kind is GroupKind.SHARE
    assert as_data(answer_of(given_of(reading), NextRebalance()))["causes"] == []
