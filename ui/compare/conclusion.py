"""The conclusion of a comparison in one sentence, from figures alone."""

from typing import Final

from assignors.certainty import Known
from assignors.model import Group
from assignors.strategy import Sees
from evaluation.advice import Advice, better_share
from evaluation.clients import JAVA
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.judging import JudgeBy
from evaluation.load import Load
from evaluation.metrics import total_lag
from evaluation.wording import amount, plural
from ui.untrusted import verbatim

_SURE: Final = {Known.EXACT, Known.CONDITIONAL, Known.LIKELY}

_OWNS: Final = "give every partition an owner, the busiest consumer"
"""Instead of a lower load, which partitions that nobody reads make possible."""


def conclusion(comparison: Comparison, *, hindrance: str = "") -> str:
    """Return one sentence, in Markdown, on the state of the group and on what would improve it.

    ``hindrance`` is why no strategy helps now, to stand behind "while".
    """
    group, advice = comparison.group, comparison.advice
    if not group.partition_count:
        return "This group has no partitions: add a topic under **Edit**."
    if not group.member_count:
        return (
            f"**This group has no consumers**; {_backlog(group)} in "
            f"{plural(group.partition_count, 'partition')}."
        )
    if not group.is_wanted.any():
        return "No consumer subscribes to a topic that has partitions: there is nothing to assign."
    text = _why_counts(comparison) + _present(advice)
    text += _hindered(advice, hindrance) if hindrance else _improvements(advice)
    return f"{text[0].upper()}{text[1:]}{_floor(comparison)}"


def _backlog(group: Group) -> str:
    total = total_lag(group)
    if total.known is None:
        return "its lag is unknown"
    if total.known == 0:
        return "no records wait"
    verb = "waits" if total.known == 1 else "wait"
    noun = "record" if total.known == 1 else "records"
    return f"**{amount(total.known)} {noun}** {verb}"


def _why_counts(comparison: Comparison) -> str:
    group = comparison.group
    if comparison.load.by_weight or group.counted_weights[group.is_wanted].any():
        return ""
    known = group.is_lag_known[group.is_wanted]
    if not known.any():
        return "No lag is known, so partition counts decide: "
    reason = "No known lag is above zero" if not known.all() else "There is no lag"
    return f"{reason}, so partition counts decide: "


def _present(advice: Advice) -> str:
    if advice.now is not None:
        held = f"**{advice.load.said(advice.now)}**"
        is_lag = advice.load.measure.by is JudgeBy.LAG
        return f"the busiest consumer {f'is {held} behind' if is_lag else f'has {held}'} now"
    return "nobody owns a partition yet"


def _improvements(advice: Advice) -> str:
    today, custom, load = advice.settable, advice.custom, advice.load
    if advice.now is None and (today or custom):
        return f"; {_first_owners(advice)}"
    if today is None or advice.now is None:
        return _no_setting(advice)
    is_lower = load.of(today) < load.of(advice.now)
    would = "bring that down to" if is_lower else _OWNS
    said = f"; **{today.label}** would {would} {_reached(today, load)}"
    if custom is not None:
        to = "to " if is_lower else ""
        said += f", the custom **{custom.label}** {to}{_reached(custom, load)}"
    return said


def _no_setting(advice: Advice) -> str:
    """Return that no setting is reliably better, why, how often the nearest is, and what else is.

    Where nothing is ever better, it is not for what strategies do not look at.
    """
    nearest, custom, now = advice.unreliable, advice.custom, advice.now
    withheld = [outcome.strategy for outcome in advice.withheld]
    if custom is None and (nearest is None or now is None):
        kind = "strategy" if advice.takes_custom else "setting"
        of_those = " with cooperative rebalances" if withheld else ""
        return f", and no {kind}{of_those} improves on that by 1 % or more"
    because = not_looked_at(advice)
    are_settings = not set(withheld).isdisjoint(advice.settings)
    of_those = " with cooperative rebalances" if are_settings else ""
    said = f". No setting{of_those} is reliably better{f': {because}' if because else ''}"
    if nearest is not None and now is not None:
        tenths = int(10 * better_share(nearest, now, advice.load))
        often = f"{tenths} of 10 restarts" if tenths else "fewer than 1 of 10 restarts"
        kind = "" if nearest.strategy in advice.settings else "the custom "
        said += f"; the nearest, {kind}**{nearest.label}**, is better in {often}"
    if custom is None:
        return said
    reached = _reached(custom, advice.load)
    return f"{said}. The custom assignor **{custom.label}** would bring it to {reached}"


def not_looked_at(advice: Advice) -> str:
    """Return that no setting looks at what counts; "" if one does."""
    load = advice.load
    if (
        not load.by_weight
        or not advice.settings
        or any(Sees.LAG in s.sees for s in advice.settings)
    ):
        return ""
    is_kafkas = all(s.client in {None, JAVA.name} for s in advice.settings)
    whose = "Kafka's strategies" if is_kafkas else "this client's strategies"
    return f"{whose} do not look at {load.noun}"


def _hindered(advice: Advice, hindrance: str) -> str:
    spread = advice.settable or advice.custom
    if spread is None:
        return f"; no strategy helps while {hindrance}"
    would = "spread it more evenly, to"
    if advice.now is not None and advice.load.of(spread) >= advice.load.of(advice.now):
        would = _OWNS
    return (
        f"; **{spread.label}** would {would} {_reached(spread, advice.load)}, but "
        f"no strategy helps while {hindrance}"
    )


def _first_owners(advice: Advice) -> str:
    leads = ("**{}** would leave the busiest consumer with", "the custom **{}**")
    return ", ".join(
        f"{lead.format(outcome.label)} **{advice.load.said(outcome)}**"
        for lead, outcome in zip(leads, advice.recommended, strict=False)
    )


def _reached(outcome: Outcome, load: Load) -> str:
    most, span = f"**{amount(load.of(outcome))}**", load.span_said(outcome)
    is_sure = not span and (not load.by_weight or outcome.certainty.known in _SURE)
    details = "; ".join(filter(None, [span, _moves(outcome)]))
    return f"{'' if is_sure else 'about '}{most}{f' ({details})' if details else ''}"


def _moves(outcome: Outcome) -> str:
    moved = outcome.figures.moved
    if moved is None:
        return ""
    return f"{plural(moved, 'partition')} {'moves' if moved == 1 else 'move'}"


def _floor(comparison: Comparison) -> str:
    if not comparison.load.by_weight or comparison.bound is None:
        return "."
    best, partition = amount(comparison.bound), comparison.deciding_partition
    what = bound_words(comparison)
    if partition is None:
        return f". {what}: {best}."
    name = verbatim(comparison.group.partition_name(partition))
    return f". {what}: {best}, which partition {name} holds alone."


def bound_words(comparison: Comparison) -> str:
    """Return what the bound is called: the best possible only where something reaches it."""
    return "Best possible" if comparison.is_bound_reached else "Lower bound"
