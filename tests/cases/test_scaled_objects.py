"""Real ScaledObjects beside their groups, at the command line: where their pods come to rest."""

import json
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Final

import pytest

import assign

_HERE: Final = Path(__file__).parent / "scaled_objects"


def _run(name: str, *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    out, said = BytesIO(), StringIO()
    yaml, group = (str(_HERE / f"{name}.{ending}") for ending in ("yaml", "json"))
    status = assign.main(("--scaled-object", yaml, *arguments, group), None, out, said)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], said.getvalue()


def _at_rest(name: str, *arguments: str) -> dict[str, Any]:
    status, (found,), _ = _run(name, *arguments)
    assert status == 0
    return found


@pytest.mark.parametrize(
    ("name", "desired", "path", "stop"),
    [
        ("keda1", 10, [9], "within tolerance"),  # 92 / 10 / 9 = 1.02
        ("spec-only", 5, [5], "on target"),
        ("nothing-committed", 0, [0], "no activity"),
        ("two-triggers", 10, [2, 6, 10], "on target"),  # the usual policy: 4 pods, or twice as many
        ("limited-partitions", 5, [1, 5], "on target"),
        ("triggers-only", 14, [3, 7, 14], "on target"),
        ("within-tolerance", 24, [22], "within tolerance"),
    ],
)
def test_it_comes_to_rest_where_kubernetes_leaves_it(
    name: str, desired: int, path: list[int], stop: str
) -> None:
    found = _at_rest(name)

    assert (found["desired"], found["path"], found["stop"]) == (desired, path, stop)
    assert found["rests_at"] == path[-1]


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("keda1", [(92, 92, 100, 10, 0)]),
        ("spec-only", [(7_931, 2_500, 2_500, 5, 0)]),  # 500 a pod
        ("nothing-committed", [(0, 0, 3, 0, 0)]),
        ("two-triggers", [(5_000, 5_000, 5_000, 10, 0), (3_000, 3_000, 5_000, 6, 0)]),
        ("limited-partitions", [(250, 250, None, 5, 15)]),
        ("triggers-only", [(70, 70, 70, 14, 18)]),
        ("within-tolerance", [(96_000, 24_000, 24_000, 24, 0)]),
    ],
)
def test_each_trigger_has_its_metric_cap_and_pods(
    name: str, figures: list[tuple[int | None, ...]]
) -> None:
    found = _at_rest(name)["triggers"]

    keys = ("lag", "metric", "cap", "desired", "left_out")
    assert [tuple(each[key] for key in keys) for each in found] == figures


@pytest.mark.parametrize(
    ("pods", "rests_at", "goes_on_from"),
    [("20", 24, None), ("21", 24, None), ("22", 22, 21), ("23", 23, 21), ("24", 24, None)],
)
def test_from_21_of_24_it_goes_on_and_from_22_it_stays(
    pods: str, rests_at: int, goes_on_from: int | None
) -> None:
    found = _at_rest("within-tolerance", "--pods", pods)

    assert (found["rests_at"], found["goes_on_from"]) == (rests_at, goes_on_from)


def test_two_triggers_count_by_the_larger_and_one_without_topic_by_the_sum() -> None:
    found = _at_rest("two-triggers")

    assert [each["rests_at"] for each in found["triggers"]] == [10, 6]
    assert found["rests_at"] == 10


@pytest.mark.parametrize(
    ("name", "rejected"),
    [
        ("keda1", ["apiVersion", "deploymentName", "brokerList"]),
        ("spec-only", ["deploymentName", "brokerList"]),
        ("triggers-only", ["allowIdleConsumers", "authenticationRef"]),
        *((name, []) for name in ("nothing-committed", "two-triggers", "limited-partitions")),
        ("within-tolerance", []),
    ],
)
def test_what_keda_2_rejects_is_read_and_told(name: str, rejected: list[str]) -> None:
    found = _at_rest(name)

    assert len(found["rejected"]) == len(rejected)
    assert all(what in said for what, said in zip(rejected, found["rejected"], strict=True))


def test_a_false_comment_is_told_with_its_line() -> None:
    notes = _at_rest("within-tolerance")["notes"]

    assert [note.partition(":")[0] for note in notes] == ["Line 10", "Line 10"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--pods", "-1"), "expected a number of pods"),
        (("--scaled-object", "nowhere.yaml"), "nowhere.yaml cannot be read"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    status, found, error = _run("keda1", *arguments)

    assert (status, found) == (2, [])
    assert said in error
    assert error.count("\n") == 1
