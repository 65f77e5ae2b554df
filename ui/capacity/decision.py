"""The decision that the Consumers page shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from assignors.strategy import StrategyKind
from charts.capacity import CapacityCurves, PlanCurves
from charts.report import Figure, FigureRow, Section
from evaluation.assuming.clients import is_settable
from evaluation.capacity.advice import CapacityKind, SplitKeys
from evaluation.capacity.planning import HOURS_A_MONTH, ConsumerPlan, PlanKind, cost_a_month
from evaluation.wording import duration, plural
from ui.capacity import words
from ui.capacity.findings import Findings
from ui.capacity.inputs import CapacityInputs
from ui.picture.model import BandButton, Tone, VerdictBand

_FIGURES: Final = 4
HOW: Final = "how"
"""The key of the button that says how to set the planned strategy."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Decision:
    """What the Consumers page recommends; all texts are plain."""

    band: VerdictBand
    plan: ConsumerPlan | None
    figures: tuple[Figure, ...]
    """At most four."""
    assumed: str
    """The inputs, in a sentence."""
    curves: PlanCurves
    picture: CapacityCurves
    """What the grid is drawn from."""

    @property
    def section(self) -> Section:
        """The decision for the report."""
        texts = (self.band.evidence, self.band.action, self.assumed)
        said = [text for text in texts if text]
        return Section("Consumers", [self.band.finding, FigureRow(self.figures), *said])


def decided(question: CapacityInputs, findings: Findings) -> Decision:
    """Return what follows from the findings; a lower bound of the speed proves nothing late."""
    plan = findings.plan
    is_unproven = plan is None or plan.kind is PlanKind.UNPROVEN
    points = () if is_unproven else tuple(findings.points)
    return Decision(
        band=VerdictBand(
            tone=Tone.of(findings.advice.kind.severity),
            finding=words.finding(findings),
            evidence=words.evidence(findings, question.rests_on),
            action=words.action(findings),
            buttons=tuple(_buttons(findings)),
        ),
        plan=plan,
        figures=tuple(_figures(question, findings)),
        assumed=question.assumed,
        curves=PlanCurves(
            lines=tuple(_lines(findings)),
            allowed_s=findings.capacity.allowed_s,
            today=findings.today,
            planned=None if plan is None else plan.consumers,
            points=points,
        ),
        picture=CapacityCurves(
            curves=tuple(findings.curves),
            allowed_s=findings.capacity.allowed_s,
            today=findings.today,
            recommended=None if plan is None else plan.consumers,
            columns=() if is_unproven else tuple(findings.columns),
        ),
    )


def _buttons(findings: Findings) -> Iterator[BandButton]:
    """Yield how to set the planned strategy, unless the group runs it already."""
    plan = findings.plan
    if plan is None or plan.kind is not PlanKind.CONSUMERS or plan.strategy == findings.runs:
        return
    how = "set" if is_settable(plan.strategy) else "use"
    yield BandButton(key=HOW, label=f"How to {how} {plan.strategy.label}", is_main=True)


def _lines(findings: Findings) -> list[tuple[str, dict[int, float]]]:
    """Return at most three lines: the planned strategy, the same with headroom, and another's."""
    plan, other = findings.plan, _other_way(findings)
    if plan is None:
        return []
    label = plan.strategy.label
    more = f", +{plan.headroom:.0%} arrivals".replace("%", " %") if plan.headroom else ""
    lines = [(label, _seconds(findings, plan, is_raised=False))]
    if plan.decided_by is not None and more:
        more += f" except of {findings.planned.partition_name(plan.decided_by)}"
    if more and findings.demand.rates.any():
        lines.append((f"{label}{more}", _seconds(findings, plan, is_raised=True)))
    if other is not None:
        jar = " (jar)" if other.strategy.kind is StrategyKind.CUSTOM else ""
        seconds = _seconds(findings, other, is_raised=True)
        lines.append((f"{other.strategy.label}{jar}{more}", seconds))
    return lines


def _seconds(findings: Findings, plan: ConsumerPlan, *, is_raised: bool) -> dict[int, float]:
    of = findings.curve_with_headroom if is_raised else findings.curve
    return {n: tried.seconds for n, tried in of(plan.strategy).tried.items()}


def _figures(question: CapacityInputs, findings: Findings) -> list[Figure]:
    plan = findings.plan
    planned = Figure("Planned", "none", "", "The number of consumers to run")
    if plan is not None and plan.consumers is not None:
        note = f"{plan.strategy.label}, in {duration(plan.ends_s)}"
        planned = Figure(
            "Planned",
            plural(plan.consumers, "consumer"),
            note if plan.kind is PlanKind.CONSUMERS else "as today",
            "The first number from which all larger ones are in time, with the headroom",
        )
    figures = [_today(findings), planned]
    if plan is not None and findings.advice.kind is CapacityKind.SPLIT:
        figures.append(_split(plan, findings))
    if (other := _other_way(findings)) is not None:
        figures.append(_other(other))
    cost = _cost(question, findings)
    figures.append(_fewest(findings) if cost is None else cost)
    return figures[:_FIGURES]


def _other_way(findings: Findings) -> ConsumerPlan | None:
    """Return what needs fewer consumers than the plan, else what needs no jar."""
    return findings.tried.saving or findings.tried.without_jar


def _other(plan: ConsumerPlan) -> Figure:
    label, note = plan.strategy.label, f"{plan.strategy.label}, in {duration(plan.ends_s)}"
    is_jar = plan.strategy.kind is StrategyKind.CUSTOM
    about = f"With {label}, {'an assignor of your own' if is_jar else 'set'} on every consumer"
    name = "With a jar" if is_jar else "By a setting"
    return Figure(name, plural(plan.consumers or 0, "consumer"), note, about)


def _split(plan: ConsumerPlan, findings: Findings) -> Figure:
    split = findings.tried.split
    return Figure(
        f"Split {findings.planned.partition_name(plan.decided_by or 0)}",
        f"over {split.over:,}" if isinstance(split, SplitKeys) else "does not help",
        "partitions, by key",
        "So that each is in time with the headroom; a partition has one owner",
    )


def _cost(question: CapacityInputs, findings: Findings) -> Figure | None:
    plan, price, currency = findings.plan, question.price, question.currency
    if plan is None or plan.cost_a_month is None or price is None:
        return None
    before = cost_a_month(findings.today, price)
    more = plan.cost_a_month - before
    return Figure(
        "Cost a month",
        f"{more:+,.0f} {currency}".replace("-", "\N{MINUS SIGN}"),
        f"{plan.cost_a_month:,.0f} instead of {before:,.0f}",
        f"At {price:,g} {currency} an hour for a consumer, {HOURS_A_MONTH} hours a month",
    )


def _today(findings: Findings) -> Figure:
    label = f"Today's {findings.today:,}"
    about = "Time until the last backlog is cleared with the consumers there are"
    if not findings.today:
        return Figure("Today", "never", "nobody reads", about)
    if findings.now is not None and findings.is_least and findings.now.seconds == float("inf"):
        return Figure(label, "unknown", "its speed is a lower bound", about)
    if findings.now is not None:
        note = "if all of them read" if findings.still else _margin(findings, findings.now.seconds)
        return Figure(label, duration(findings.now.seconds), note, f"{about}, without a rebalance")
    plan = findings.plan
    at = None if plan is None else findings.curve(plan.strategy).at(findings.today)
    if plan is None or at is None:
        return Figure(label, "not tried", "", about)
    return Figure(label, duration(at.seconds), f"with {plan.strategy.label}", about)


def _margin(findings: Findings, seconds: float) -> str:
    late = seconds - findings.capacity.allowed_s
    if late <= 0:
        return "in time"
    return f"{duration(late)} late" if late < float("inf") else "as assigned"


def _fewest(findings: Findings) -> Figure:
    fewest = findings.limits.fewest
    about = (
        "No assignment is in time with fewer consumers (Martello and Toth's lower bound L2). A "
        "partition with rate r and lag L needs r + (L + r D) / (T - D) records/s, where D is the "
        "pause and T the time allowed; a consumer carries no more than its processing rate."
    )
    if findings.is_least:
        return Figure("Fewest possible", "unknown", "its speed is a lower bound", about)
    if fewest is None:
        return Figure("Fewest possible", "none", "partition too slow", about)
    return Figure("Fewest possible", plural(fewest, "consumer"), "without headroom", about)
