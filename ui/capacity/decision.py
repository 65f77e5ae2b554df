"""The decision on screen."""

from dataclasses import dataclass

from assignors.clients.registry import ALL_STRATEGIES
from charts.capacity import Picture
from charts.report import Figure, FigureRow, Section
from evaluation.clients import is_settable
from evaluation.wording import duration, plural
from ui.capacity import words
from ui.capacity.findings import Findings
from ui.capacity.inputs import Question


@dataclass(frozen=True, eq=False, kw_only=True)
class Decision:
    """What the Capacity page recommends; all texts are plain."""

    sentence: str
    explanation: tuple[str, ...]
    """Today, one consumer less, and how sure the answer is; a sentence each."""
    figures: tuple[Figure, ...]
    """At most four."""
    assumed: str
    """The inputs, in a sentence."""
    picture: Picture
    """What the grid and the chart are drawn from."""

    @property
    def section(self) -> Section:
        """The decision for the report."""
        said = (*self.explanation, self.assumed)
        return Section("Capacity", [self.sentence, FigureRow(self.figures), *said])


def decided(question: Question, found: Findings) -> Decision:
    """Return what follows from the findings."""
    return Decision(
        sentence=words.answer(found),
        explanation=tuple(
            [words.way_out(found)] if found.limits.fewest is None else words.explanation(found)
        ),
        figures=tuple(_figures(found)),
        assumed=question.assumed,
        picture=Picture(
            curves=tuple(found.curves),
            allowed_s=found.capacity.allowed_s,
            today=found.today,
            recommended=found.recommended.consumers if found.recommended else None,
            leading=tuple(least.name for least in (found.settable, found.custom) if least),
            columns=tuple(found.columns),
            points=tuple(found.points),
        ),
    )


def _figures(found: Findings) -> list[Figure]:
    figures = [_needed(found, settable=True)]
    if found.saving is not None or (found.settable is None and found.custom is not None):
        figures.append(_needed(found, settable=False))
    return [*figures, _today(found), _fewest(found)]


def _needed(found: Findings, *, settable: bool) -> Figure:
    label = "Needed, set today" if settable else "Needed, custom assignor"
    about = (
        "The smallest number of consumers tried that is in time with a strategy that ships with "
        "the clients or the brokers"
        if settable
        else "The same with an assignor of your own on every consumer"
    )
    least = found.settable if settable else found.custom
    if least is None or least.consumers is None:
        is_asked = any(is_settable(ALL_STRATEGIES[each.name]) == settable for each in found.minima)
        note = f"late up to {found.scope.most:,}" if is_asked else "no such strategy chosen"
        return Figure(label, "none", note, about)
    note = f"{least.label}: {duration(least.seconds)}"
    return Figure(label, plural(least.consumers, "consumer"), note, about)


def _today(found: Findings) -> Figure:
    label = f"Today, {plural(found.today, 'consumer')}"
    about = "Time until the last backlog is cleared with the consumers there are"
    if not found.today:
        return Figure(label, "never", "nobody reads", about)
    if found.now is not None:
        about += ", as assigned now: no rebalance, so no pause"
        return Figure(label, duration(found.now.seconds), _margin(found, found.now.seconds), about)
    best = found.recommended or found.minima[0]
    at = found.curve(best.name).at(found.today)
    if at is None:
        return Figure(label, "not tried", "", about)
    return Figure(label, duration(at.seconds), f"with {best.label}", about)


def _margin(found: Findings, seconds: float) -> str:
    late = seconds - found.capacity.allowed_s
    if late <= 0:
        return "as assigned now, in time"
    return f"as assigned now, {duration(late)} late" if late < float("inf") else "as assigned now"


def _fewest(found: Findings) -> Figure:
    fewest, enough = found.limits.fewest, found.limits.enough
    about = (
        "No assignment is in time with fewer consumers (Martello and Toth's lower bound L2). A "
        "partition with rate r and lag L needs r + (L + r D) / (T - D) records/s, where D is the "
        "pause and T the time allowed; a consumer carries no more than its processing rate."
    )
    if fewest is None:
        return Figure("Fewest possible", "none", "one partition is too slow", about)
    is_tight = enough in (None, fewest) or any(each.consumers == fewest for each in found.minima)
    note = "for any assignment" if is_tight else f"proved; {enough:,} are enough"
    return Figure("Fewest possible", plural(fewest, "consumer"), note, about)
