"""What is said and done about each kind of verdict, one row a kind, by theme as the findings."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.verdict_rows.absence import ABSENCE
from evaluation.answering.verdict_rows.concentration import CONCENTRATION
from evaluation.answering.verdict_rows.displaced import DISPLACED
from evaluation.answering.verdict_rows.logged import LOGGED
from evaluation.answering.verdict_rows.overload import OVERLOAD
from evaluation.answering.verdict_rows.placed import PLACED
from evaluation.answering.verdict_rows.row import VerdictRow
from evaluation.answering.verdict_rows.standing import STANDING
from evaluation.answering.verdict_rows.states import STATES
from evaluation.verdict_kinds import VerdictKind

ROWS: Final[Mapping[VerdictKind, VerdictRow]] = {
    **ABSENCE,
    **STANDING,
    **LOGGED,
    **OVERLOAD,
    **DISPLACED,
    **CONCENTRATION,
    **PLACED,
    **STATES,
}
"""Every kind has one."""
