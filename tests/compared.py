"""Comparisons, as pages, reports and slides get them."""

from collections.abc import Mapping, Sequence

from assignors.model import Group
from evaluation.advice import Advice, advise
from evaluation.compare import Outcome, as_it_is_now
from evaluation.comparison import Comparison
from evaluation.judging import LAG, Measure
from evaluation.running import Origin, Running

UNKNOWN: Running = Running(None, Origin.UNKNOWN)


def compared(
    group: Group,
    settable: Sequence[Outcome] = (),
    custom: Sequence[Outcome] = (),
    measure: Measure = LAG,
) -> Comparison:
    """Return what is known of a group whose settings and custom assignors have these outcomes."""
    return knowing(group, advise(group, as_it_is_now(group), settable, custom, measure))


def knowing(
    group: Group,
    advice: Advice,
    outcomes: Sequence[Outcome] = (),
    before: Mapping[str, Outcome] | None = None,
) -> Comparison:
    """Return a comparison in which this was advised."""
    return Comparison(
        group=group, running=UNKNOWN, advice=advice, outcomes=outcomes, before=before or {}
    )
