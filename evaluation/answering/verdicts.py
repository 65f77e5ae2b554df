"""What is the matter with a group: one kind, with members, partitions and figures."""

from dataclasses import dataclass, field
from typing import Final

from evaluation.answering.verdict_figures import VerdictFigures
from evaluation.answering.verdict_rows import ROWS
from evaluation.diagnosis.findings import Look
from evaluation.measuring.facts import Source
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

WAITING_IS_ENOUGH_S: Final = 900.0
"""A backlog that ends within this time needs nothing but time."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict:
    """What is the matter, and what it rests on."""

    kind: VerdictKind
    members: tuple[int, ...] = ()
    """All whom it names, by number; pictures color each of them."""
    partitions: tuple[int, ...] = ()
    """All that it names."""
    work: tuple[str, ...] = ()
    """Tasks, connectors or shared partitions that it names, in groups of another kind."""
    told: str = ""
    """What the source itself says of them, such as the first words of an error."""
    figures: VerdictFigures = field(default_factory=VerdictFigures)
    since_s: float | None = None
    """How long it has been so; None if unknown."""
    is_older: bool = False
    """Whether it was so at the first snapshot already, so that ``since_s`` is the least."""
    rests_on: Source = Source.MEASURED
    """The weakest source among its figures."""
    is_dated: bool = True
    """Whether the seconds between the snapshots are known; if not, there are no rates."""
    owns_nothing: tuple[int, ...] = ()
    """Idle members."""
    look_at: tuple[Look, ...] = ()
    """What to look at, the first first, where the cause lies in the application."""

    def __repr__(self) -> str:
        about = f"{len(self.members)} members, {len(self.partitions)} partitions"
        return f"<Verdict {self.kind.value}: {about}>"

    @property
    def severity(self) -> Severity:
        """How urgent it is."""
        return ROWS[self.kind].severity

    @property
    def is_alarm(self) -> bool:
        """Whether something is broken or will be, so that strategies come second."""
        return self.severity >= Severity.WARNING

    @property
    def is_broken(self) -> bool:
        """Whether it is red on screen: broken, or without an end; amber is what may become so."""
        return self.severity is Severity.ALARM
