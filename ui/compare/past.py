"""Whether what was proposed on earlier snapshots of the group on screen kept on the later ones."""

from math import isnan

from evaluation.answering.answer import Answer
from evaluation.comparing.past import Kept, Past, past_of
from evaluation.metrics import REAL_GAIN
from evaluation.wording import percent, plural
from ui.answers import answer_then
from ui.refining import Refining, settled
from ui.scenario import Scenario
from ui.untrusted import verbatim


def tested(current: Scenario, answer: Answer) -> tuple[str, Refining | None]:
    """Return, in Markdown, what would have been proposed and what it kept; and what that waits for.

    "" without several snapshots, while simulations may change the proposal, if no strategy was
    proposed, or of an edited group.
    """
    if not current.is_at_baseline:
        return "", None
    past = past_of(current.group, answer.known.history, answer.load.measure)
    if past is None:
        return "", None
    then, refining = settled(answer_then(current, past.earlier.with_weights(None), past.history))
    best = None if then.proposal is None else then.proposal.outcome
    return "" if best is None else words(past, best.label, past.test(best.owners)), refining


def words(past: Past, label: str, found: Kept) -> str:
    """Return, in Markdown, what was promised after the earlier snapshots and kept on the later."""
    if isnan(found.kept) or not found.promised >= REAL_GAIN:
        return ""
    early, later, noun = len(past.history.moments), len(past.later), past.measure.noun
    said = (
        f"Tested on the past: after the first {f'{early:,} ' * (early > 1)}of "
        f"{plural(early + later, 'snapshot')}, {verbatim(label)} promised "
        f"{percent(found.promised)} less {noun} on the busiest consumer"
    )
    since = "the other" if later == 1 else f"the other {later:,}"
    if found.kept >= REAL_GAIN:
        return f"{said}, and on {since} it kept {percent(found.kept)}."
    became = "nothing less" if found.kept >= 0 else f"{percent(-found.kept)} more"
    return f"{said}, but on {since} it would have been {became}: the advice did not keep."
