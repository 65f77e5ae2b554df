"""Whether advice given on the earlier snapshots of the group on screen kept on the later ones."""

from math import isnan

from evaluation.comparison import Comparison
from evaluation.metrics import REAL_GAIN
from evaluation.past import Kept, Past, past_of
from evaluation.wording import percent, plural
from ui import cache, facts
from ui.clients import client
from ui.scenario import Scenario
from ui.untrusted import verbatim


def tested(current: Scenario, comparison: Comparison) -> str:
    """Return, in Markdown, what would have been advised and what it kept.

    "" without several snapshots, if nothing was advised, or of an edited group.
    """
    history = facts.history_of(current)
    if history is None or not current.is_at_baseline:
        return ""
    past = past_of(current.group, history, comparison.measure)
    if past is None:
        return ""
    advice = cache.advice(past.earlier, client(), comparison.running)
    best = next(iter(advice.recommended), None)
    return "" if best is None else words(past, best.label, past.test(best.owners))


def words(past: Past, label: str, found: Kept) -> str:
    """Return, in Markdown, what was promised after the earlier snapshots and kept on the later."""
    if isnan(found.kept) or not found.promised >= REAL_GAIN:
        return ""
    later, noun = len(past.later), past.measure.noun
    said = (
        f"Tested on the past: after the first {f'{past.early:,} ' * (past.early > 1)}of "
        f"{plural(past.early + later, 'snapshot')}, {verbatim(label)} promised "
        f"{percent(found.promised)} less {noun} on the busiest consumer"
    )
    since = "the other" if later == 1 else f"the other {later:,}"
    if found.kept >= REAL_GAIN:
        return f"{said}, and on {since} it kept {percent(found.kept)}."
    became = "nothing less" if found.kept >= 0 else f"{percent(-found.kept)} more"
    return f"{said}, but on {since} it would have been {became}: the advice did not keep."
