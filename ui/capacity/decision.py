"""The decision that the Capacity page shows."""

from dataclasses import dataclass

from charts.capacity import CapacityCurves, PlanCurves
from charts.report import Figure, FigureRow, Section
from evaluation.capacity.planning import HOURS_A_MONTH, ConsumerPlan, PlanKind
from evaluation.wording import duration, plural
from ui.capacity import words
from ui.capacity.findings import Findings
from ui.capacity.inputs import CapacityInputs
from ui.picture.model import Tone, VerdictBand


@dataclass(frozen=True, eq=False, kw_only=True)
class Decision:
    """What the Capacity page recommends; all texts are plain."""

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
        return Section("Capacity", [self.band.finding, FigureRow(self.figures), *said])


def decided(question: CapacityInputs, findings: Findings) -> Decision:
    """Return what follows from the findings; a lower bound of the speed proves nothing late."""
    plan = findings.plan
    is_unproven = plan is None or plan.kind is PlanKind.UNPROVEN
    is_alarm = plan is not None and plan.kind in {PlanKind.PARTITION, PlanKind.NONE}
    points = () if is_unproven else tuple(findings.points)
    return Decision(
        band=VerdictBand(
            tone=Tone.RED if is_alarm else Tone.NEUTRAL,
            finding=words.finding(findings),
            evidence=words.evidence(findings, question.rests_on),
            action=words.action(findings),
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


def _lines(findings: Findings) -> list[tuple[str, dict[int, float]]]:
    """Return at most three lines: the planned strategy, the same with headroom, and a jar's."""
    plan, custom = findings.plan, findings.saving
    if plan is None:
        return []
    label = plan.strategy.label
    more = f", +{plan.headroom:.0%} arrivals".replace("%", " %") if plan.headroom else ""
    lines = [(label, _seconds(findings, plan, is_raised=False))]
    if more and findings.demand.rates.any():
        lines.append((f"{label}{more}", _seconds(findings, plan, is_raised=True)))
    if custom is not None:
        jar = f"{custom.strategy.label} (jar){more}"
        lines.append((jar, _seconds(findings, custom, is_raised=True)))
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
    if findings.saving is not None:
        figures.append(_jar(findings.saving))
    cost = _cost(question, findings)
    figures.append(_fewest(findings) if cost is None else cost)
    return figures


def _jar(saving: ConsumerPlan) -> Figure:
    about = f"With {saving.strategy.label}, an assignor of your own on every consumer"
    note = f"{saving.strategy.label}, in {duration(saving.ends_s)}"
    return Figure("With a jar", plural(saving.consumers or 0, "consumer"), note, about)


def _cost(question: CapacityInputs, findings: Findings) -> Figure | None:
    plan, price, currency = findings.plan, question.price, question.currency
    if plan is None or plan.cost_a_month is None or price is None:
        return None
    before = price * HOURS_A_MONTH * findings.today
    more = plan.cost_a_month - before
    return Figure(
        "Cost a month",
        f"{more:+,.0f} {currency}".replace("-", "\N{MINUS SIGN}"),
        f"{plan.cost_a_month:,.0f} instead of {before:,.0f}",
        f"At {price:,g} {currency} an hour for a consumer, {HOURS_A_MONTH} hours a month",
    )


def _today(findings: Findings) -> Figure:
    label = f"Today, {findings.today:,} as assigned"
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
    label = f"Today's {findings.today:,}"
    return Figure(label, duration(at.seconds), f"with {plan.strategy.label}", about)


def _margin(findings: Findings, seconds: float) -> str:
    late = seconds - findings.capacity.allowed_s
    if late <= 0:
        return "in time"
    return f"{duration(late)} late" if late < float("inf") else ""


def _fewest(findings: Findings) -> Figure:
    fewest = findings.limits.fewest
    about = (
        "No assignment is in time with fewer consumers (Martello and Toth's lower bound L2). A "
        "partition with rate r and lag L needs r + (L + r D) / (T - D) records/s, where D is the "
        "pause and T the time allowed; a consumer carries no more than its processing rate."
    )
    if fewest is None and findings.is_least:
        return Figure("Fewest possible", "unknown", "its speed is a lower bound", about)
    if fewest is None:
        return Figure("Fewest possible", "none", "partition too slow", about)
    return Figure("Fewest possible", plural(fewest, "consumer"), "without headroom", about)
