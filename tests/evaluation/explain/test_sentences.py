"""What every rule says of a partition, in one file: ``sentences.txt``, beside this one.

Its headings name what is explained: a group of ``examples.py``, a partition, a strategy.
``agreements.txt`` has what is said of the strategies behind owners, by group and owners. Other
tests hold figures and names. Whoever changes a sentence changes those files with it.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pytest

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import UNOWNED
from assignors.trace import rules
from assignors.trace.events import Trace
from evaluation.explain.explainer import Explainer
from evaluation.explain.matching import which_explains
from tests.evaluation.explain.examples import GROUPS

_FILE: Final = Path(__file__).with_name("sentences.txt")
_UNTOLD: Final = {rules.Because, rules.Reverted}
"""Rules of strategies from outside, and of moves that no strategy of ours takes back here."""


class _Case(NamedTuple):
    """What a section of the file explains, and the lines of its explanation."""

    group: str
    partition: int
    strategy: str
    lines: list[str]


def _case(section: str) -> _Case:
    """Read a section: ``[group, partition 3, strategy]``, then a rule and its sentence a line."""
    head, *lines = section.splitlines()
    group, partition, strategy = head.strip("[]").split(", ")
    return _Case(group, int(partition.removeprefix("partition ")), strategy, lines)


_CASES: Final = [_case(section) for section in _FILE.read_text().strip().split("\n\n")]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: "-".join(map(str, case[:3])))
def test_each_rule_says_what_the_file_has(case: _Case) -> None:
    explainer = Explainer(GROUPS[case.group], ALL_STRATEGIES[case.strategy])

    found = explainer.explain(case.partition)

    assert [f"{step.rule}: {step.text}" for step in found.steps] == case.lines


def test_the_file_has_every_rule() -> None:
    told: set[type] = set()
    for group, _, strategy, _ in _CASES:
        trace, traced = Trace(), ALL_STRATEGIES[strategy].traced
        if traced:
            traced(GROUPS[group], trace=trace)
        told |= {type(event.rule) for event in trace.events}

    known = {each for each in vars(rules).values() if isinstance(each, type)}
    assert {each for each in known if issubclass(each, tuple)} - told == _UNTOLD


_AGREEMENTS: Final = Path(__file__).with_name("agreements.txt").read_text().strip().split("\n\n")


@pytest.mark.parametrize("section", _AGREEMENTS, ids=lambda section: section.splitlines()[0])
def test_each_agreement_says_what_the_file_has(section: str) -> None:
    head, *lines = section.splitlines()
    name, _, owners = head.strip("[]").partition(", ")
    held = [UNOWNED if each == "-" else int(each) for each in owners.split()]

    found = which_explains(GROUPS[name].owned_by(np.array(held, np.int32)))

    assert found is not None
    assert [found.sentence] == lines
