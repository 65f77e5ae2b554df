"""What a verdict is found from, and the lag that it counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from assignors.sums import exact_total
from evaluation.answering.given import Given, Knowledge
from evaluation.answering.options import Option
from evaluation.answering.verdict_figures import VerdictFigures, known_or_none
from evaluation.comparing.load import Load
from evaluation.diagnosis.findings import Finding


@dataclass(frozen=True, eq=False, kw_only=True)
class Seen:
    """What a verdict is found from; nothing is kept or proposed where no strategy assigns."""

    given: Given
    known: Knowledge
    load: Load
    findings: tuple[Finding, ...]
    keep: Option | None = None
    proposal: Option | None = None
    rivals: Sequence[Option] = ()
    """What changes owners."""


def is_lag_known(seen: Seen) -> bool:
    """Return whether the lag of every partition that counts is known."""
    return bool(seen.known.group.is_lag_known[seen.known.facts.is_counted].all())


def lag_alone(seen: Seen) -> VerdictFigures:
    """Return what a verdict tells that no finding leads to."""
    return VerdictFigures(lag_records=known_or_none(lag_of_all(seen)))


def lag_of_all(seen: Seen) -> float:
    """Return the known lag of what counts in the group; NaN if none is known."""
    group, is_counted = seen.given.group, seen.known.facts.is_counted
    is_known = bool(group.is_lag_known[is_counted].any())
    return float(exact_total(group.counted_lags[is_counted])) if is_known else float("nan")
