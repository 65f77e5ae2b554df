"""The decision that the Capacity page shows."""

from dataclasses import dataclass
from math import isinf

from charts.capacity import CapacityCurves
from charts.report import Figure, FigureRow, Section
from evaluation.clients import is_settable
from evaluation.wording import duration, plural
from ui.capacity import words
from ui.capacity.findings import Findings
from ui.capacity.inputs import CapacityInputs


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
    picture: CapacityCurves
    """What the grid and the chart are drawn from."""

    @property
    def section(self) -> Section:
        """The decision for the report."""
        sentences = (*self.explanation, self.assumed)
        return Section("Capacity", [self.sentence, FigureRow(self.figures), *sentences])


def decided(question: CapacityInputs, findings: Findings) -> Decision:
    """Return what follows from the findings; a lower bound of the speed proves nothing late."""
    is_unproven = findings.is_least and findings.limits.fewest is None
    late = [] if is_unproven else [words.way_out(findings)]
    return Decision(
        sentence=words.answer(findings, question.rests_on),
        explanation=tuple(late if findings.limits.fewest is None else words.explanation(findings)),
        figures=tuple(_figures(findings)),
        assumed=question.assumed,
        picture=CapacityCurves(
            curves=tuple(findings.curves),
            allowed_s=findings.capacity.allowed_s,
            today=findings.today,
            recommended=findings.recommended.consumers if findings.recommended else None,
            leading=tuple(least.strategy for least in findings.leading),
            columns=() if is_unproven else tuple(findings.columns),
            points=() if is_unproven else tuple(findings.points),
        ),
    )


def _figures(findings: Findings) -> list[Figure]:
    figures = [_needed(findings, settable=True)]
    if findings.saving is not None or (findings.settable is None and findings.custom is not None):
        figures.append(_needed(findings, settable=False))
    return [*figures, _today(findings), _fewest(findings)]


def _needed(findings: Findings, *, settable: bool) -> Figure:
    label = "Built-in strategy" if settable else "Custom assignor"
    about = (
        "The smallest number of consumers tried that is in time with a strategy that ships with "
        "the clients or the brokers"
        if settable
        else "The same with an assignor of your own on every consumer"
    )
    least = findings.settable if settable else findings.custom
    if (least is None or least.consumers is None) and findings.is_least:
        return Figure(label, "unknown", "its speed is a lower bound", about)
    if least is None or least.consumers is None:
        is_asked = any(is_settable(each.strategy) == settable for each in findings.minima)
        note = f"late up to {findings.scope.most:,}" if is_asked else "none chosen"
        return Figure(label, "none", note, about)
    about = f"{about}; here {least.strategy.label}"
    return Figure(
        label, plural(least.consumers, "consumer"), f"in {duration(least.seconds)}", about
    )


def _today(findings: Findings) -> Figure:
    label = f"With today's {findings.today:,}"
    about = "Time until the last backlog is cleared with the consumers there are"
    if not findings.today:
        return Figure("Today", "never", "nobody reads", about)
    if findings.now is not None and findings.is_least and isinf(findings.now.seconds):
        return Figure(label, "unknown", "its speed is a lower bound", about)
    if findings.now is not None:
        about += ", as assigned now: no rebalance, so no pause"
        note = "if all of them read" if findings.still else _margin(findings, findings.now.seconds)
        return Figure(label, duration(findings.now.seconds), note, about)
    best = findings.recommended or findings.minima[0]
    at = findings.curve(best.strategy).at(findings.today)
    if at is None:
        return Figure(label, "not tried", "", about)
    return Figure(label, duration(at.seconds), f"with {best.strategy.label}", about)


def _margin(findings: Findings, seconds: float) -> str:
    late = seconds - findings.capacity.allowed_s
    if late <= 0:
        return "in time"
    return f"{duration(late)} late" if late < float("inf") else ""


def _fewest(findings: Findings) -> Figure:
    fewest, enough = findings.limits.fewest, findings.limits.enough
    about = (
        "No assignment is in time with fewer consumers (Martello and Toth's lower bound L2). A "
        "partition with rate r and lag L needs r + (L + r D) / (T - D) records/s, where D is the "
        "pause and T the time allowed; a consumer carries no more than its processing rate."
    )
    if fewest is None and findings.is_least:
        return Figure("Fewest possible", "unknown", "its speed is a lower bound", about)
    if fewest is None:
        return Figure("Fewest possible", "none", "partition too slow", about)
    is_tight = enough in (None, fewest) or any(each.consumers == fewest for each in findings.minima)
    note = "for any assignment" if is_tight else f"{enough:,} are enough"
    return Figure("Fewest possible", plural(fewest, "consumer"), note, about)
