"""A strategy of an installed package works everywhere, and a broken one breaks nothing."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from assignors.catalogue import Catalogue, FailedStrategyError, with_installed
from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from sources.group_json import encode
from tests.installed.toy import LABEL, MODULE, NAME, install

ROOT = Path(__file__).resolve().parents[2]
GROUP = encode(Group.fresh({"t": 2}, ["a", "b"], {"t": [7, 5]})).decode()


def ran(
    words: Sequence[str], environ: Mapping[str, str], text: str = ""
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 -- our own program
        [sys.executable, *words],
        cwd=ROOT,
        env=dict(environ),
        input=text,
        text=True,
        capture_output=True,
        timeout=600,
        check=False,
    )


def broken(module: str, point: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """Return the catalogue with one entry point into a module of its own."""
    name = f"broken_{folder.name.replace('-', '_')}"
    (folder / f"{name}.py").write_text(module)
    monkeypatch.syspath_prepend(str(folder))
    value = f"{name}:{point}" if point else name
    return with_installed([EntryPoint("mine", value, "kafka_assignments.strategies")])


@pytest.mark.proof
def test_an_installed_strategy_is_on_every_page_and_in_the_worker_processes(
    tmp_path: Path,
) -> None:
    ended = ran(["-m", "tests.installed.pages_with_toy"], install(tmp_path))

    assert ended.returncode == 0, ended.stderr[-2000:]
    shown = json.loads(ended.stdout)
    assert shown["compare"] == 11  # one of twelve consumers owns everything
    assert f"under {LABEL}" in shown["explain"]
    assert "The last subscriber is the newest machine." in shown["explain"]
    assert "jar" in shown["rebalance"]
    assert LABEL in shown["capacity"]
    assert LABEL in shown["strategies"]
    assert shown["worker"] == [1, 1, 1, 1]
    assert (shown["refused"], shown["warnings"]) == ([], [])


@pytest.mark.proof
def test_a_strategy_that_fails_leaves_the_pages_and_they_say_why(tmp_path: Path) -> None:
    failing = MODULE.replace("owners = group.nobody()", "raise KeyError('no such rack')")

    ended = ran(["-m", "tests.installed.pages_with_toy", "failing"], install(tmp_path, failing))

    assert ended.returncode == 0, ended.stderr[-2000:]
    shown = json.loads(ended.stdout)
    assert shown["strategies"] == ["As it is now", "Range"]
    assert shown["warnings"][0].replace("\\", "") == (
        "The strategy 'last' of the package toy-assignors gives no valid assignment of this "
        "group: KeyError: 'no such rack'; it is left out until the next start."
    )


def test_an_installed_strategy_is_on_the_command_line(tmp_path: Path) -> None:
    ended = ran(["assign.py", "--strategy", NAME], install(tmp_path), GROUP)

    assert (ended.returncode, ended.stderr) == (0, "")
    answer = json.loads(ended.stdout)
    assert answer["strategy"] == NAME
    assert answer["assignment"] == {"a": [], "b": [["t", 0], ["t", 1]]}
    assert answer["metrics"]["max_lag"] == 12


def test_without_a_choice_installed_strategies_are_among_the_answers(tmp_path: Path) -> None:
    ended = ran(["assign.py"], install(tmp_path), GROUP)

    names = [json.loads(line)["strategy"] for line in ended.stdout.splitlines()]
    assert names[-1] == NAME
    assert "range" in names


def test_a_strategy_that_fails_is_an_error_in_its_place(tmp_path: Path) -> None:
    failing = MODULE.replace("owners = group.nobody()", "raise KeyError('no such rack')")

    ended = ran(["assign.py", "--strategy", "range", NAME], install(tmp_path, failing), GROUP)

    first, second = map(json.loads, ended.stdout.splitlines())
    assert (ended.returncode, first["strategy"]) == (1, "range")
    assert second["error"] == (
        "the strategy 'last' of the package toy-assignors gives no valid assignment of this group: "
        "KeyError: 'no such rack'"
    )


def test_a_broken_package_is_one_sentence_and_the_others_work(tmp_path: Path) -> None:
    environ = install(tmp_path, last="toy_assignors:LAST", gone="toy_assignors:GONE")

    ended = ran(["assign.py", "--strategy", NAME], environ, GROUP)

    assert ended.returncode == 0
    assert json.loads(ended.stdout)["strategy"] == NAME
    (line,) = ended.stderr.splitlines()
    assert line == (
        "assign.py: the strategy 'gone' of the package toy-assignors cannot be used: "
        "AttributeError: module 'toy_assignors' has no attribute 'GONE'"
    )


def test_entry_points_that_cannot_be_read_are_one_sentence_and_the_others_work(
    tmp_path: Path,
) -> None:
    environ = install(tmp_path)
    bad = tmp_path / "bad-1.0.dist-info"
    bad.mkdir()
    (bad / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n")
    (bad / "entry_points.txt").write_text("[kafka_assignments.strategies]\nno equals sign\n")

    ended = ran(["assign.py", "--strategy", NAME], environ, GROUP)

    assert ended.returncode == 0
    assert json.loads(ended.stdout)["strategy"] == NAME
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"assign.py: the entry points of {bad} cannot be read: TypeError")


def module_of(
    name: str = "last", label: str = "Last", assign: str = "last_takes_all", more: str = ""
) -> str:
    """Return a module whose ``POINT`` is a strategy of these fields."""
    return (
        f"{MODULE}\nfrom assignors.strategy import StrategyKind\n"
        f"def all_to(group):\n    return [1, 0]\n"
        f"POINT = Strategy(name={name!r}, label={label!r}, assign={assign}{more})\n"
    )


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        ("import nothing_of_this_name", "ModuleNotFoundError: No module named"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("POINT = 5", "its entry point must name a Strategy, found int"),
        (module_of(name="range"), "another strategy is called 'range'; give it a name of its own"),
        (module_of(label="Range"), "another strategy has the label 'Range'; give it one of its"),
        (module_of(name="Last, 2"), "found 'Last, 2'"),
        (module_of(name="now"), "and not now or as-it-was"),
        (
            module_of(assign="lambda group: group.nobody()"),
            "so they cannot be lambdas or local functions",
        ),
        (
            module_of(more=", kind=StrategyKind.KAFKA_CLIENT"),
            "its kind must be StrategyKind.CUSTOM, found StrategyKind.KAFKA_CLIENT",
        ),
    ],
    ids=["import", "exit", "type", "name", "label", "letters", "reserved", "lambda", "kind"],
)
def test_what_cannot_be_used_is_refused_with_its_reason(
    module: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = broken(module, "POINT", tmp_path, monkeypatch)

    assert found.strategies == ALL_STRATEGIES
    (reason,) = found.refused
    assert reason.startswith("the strategy 'mine' cannot be used: ")
    assert sentence in reason


def test_of_two_of_one_name_the_second_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "twice_installed.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [
        EntryPoint(name, "twice_installed:LAST", "kafka_assignments.strategies") for name in "ba"
    ]

    found = with_installed(points)

    assert NAME in found.strategies
    assert found.refused == (
        (
            f"the strategy 'b' cannot be used: another strategy is called {NAME!r}; "
            "give it a name of its own"
        ),
    )


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("return group.nobody()", "t-0 has subscribers but no owner (2 such partitions)"),
        ("return group.nobody() + 9", "t-0 is assigned to member 8, but the group has members 0"),
        ("return [0.5, 0.5]", "TypeError: "),
        ("return [0]", "expected one member number for each of 2 partitions"),
        ("group.lags[0] = 0", "ValueError: assignment destination is read-only"),
    ],
)
def test_a_result_that_breaks_a_rule_is_told_with_the_strategy_s_name(
    body: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = module_of(assign="all_to").replace("return [1, 0]", body)
    strategy = broken(module, "POINT", tmp_path, monkeypatch).strategies["last"]

    with pytest.raises(FailedStrategyError) as failure:
        strategy.settle(Group.fresh({"t": 2}, ["a", "b"], {"t": [1, 2]}))

    assert sentence in str(failure.value)
    assert str(failure.value).startswith("the strategy 'mine' gives no valid assignment")
    assert failure.value.name == "last"


def test_a_list_of_member_numbers_is_a_result_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy = broken(module_of(assign="all_to"), "POINT", tmp_path, monkeypatch).strategies["last"]

    owners = strategy.settle(Group.fresh({"t": 2}, ["a", "b"]))

    assert owners.dtype == np.int32
    assert owners.tolist() == [1, 0]
