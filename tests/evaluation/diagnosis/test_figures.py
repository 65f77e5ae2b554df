"""The figures of findings, by the names that verdicts give them."""

from dataclasses import fields
from typing import get_args, get_type_hints

import pytest

from evaluation.answering.verdict_figures import VerdictFigures
from evaluation.diagnosis.figures import figures_of, rests_on_speed
from evaluation.diagnosis.findings import Finding, Full
from tests.findings import FULL, NOBODY

_NO_FIGURES = {"since_s"}
"""What a verdict has as a field of its own."""


@pytest.mark.parametrize("kind", get_args(Finding))
def test_each_number_of_a_finding_is_a_figure_of_the_verdict(kind: type) -> None:
    hints = get_type_hints(kind)

    numbers = {
        each.name
        for each in fields(kind)
        if {int, float} & {hints[each.name], *get_args(hints[each.name])}
        and hints[each.name] != tuple[int, ...]
    }
    named = {each.name for each in fields(kind) if each.metadata}

    assert numbers - _NO_FIGURES == named


@pytest.mark.parametrize("kind", get_args(Finding))
def test_each_figure_of_a_finding_has_a_field_of_the_verdicts_figures(kind: type) -> None:
    names = {each.metadata["figure"] for each in fields(kind) if each.metadata}

    assert names <= {each.name for each in fields(VerdictFigures)}


def test_known_figures_have_the_names_of_verdicts_and_unknown_ones_are_absent() -> None:
    assert figures_of(NOBODY) == {"lag_records": 40, "arriving_per_s": 9}  # deleted_s is NaN
    assert figures_of(FULL) == {
        "lag_records": 80,
        "arriving_per_s": 100,
        "reading_per_s": 60,
        "needed_consumers": 4,
    }


def test_a_number_of_consumers_rests_on_what_one_of_them_reads() -> None:
    unknown = Full(members=(0,), partitions=(0,), lag=8, arriving=9, reading=6, needed=None)

    assert rests_on_speed(FULL)
    assert not rests_on_speed(unknown)
    assert not rests_on_speed(NOBODY)
