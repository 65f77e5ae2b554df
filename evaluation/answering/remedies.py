"""What could be done that changes no strategy: restart, fix, split, add, wait, look."""

from evaluation.answering.action_rows import ACTIONS
from evaluation.answering.actions import Action
from evaluation.answering.effects import twice_as_many
from evaluation.answering.given import Given, Knowledge
from evaluation.answering.options import Option
from evaluation.answering.verdict_of import has_strategies
from evaluation.answering.verdict_rows import ROWS
from evaluation.answering.verdicts import Verdict
from evaluation.answering.why_not import WhyNot
from evaluation.diagnosis.overload import have_hot_keys, too_heavy
from evaluation.verdict_kinds import VerdictKind


def remedies(verdict: Verdict, given: Given, known: Knowledge) -> tuple[Option, ...]:
    """Return the remedy of a verdict, and what else is comparable with it."""
    action = _remedy(verdict, given, known)
    if action is None:
        return ()
    row = ACTIONS[action]
    effect, cost = row.effect(verdict, known), 0 if row.touches_nothing else None
    remedy = Option(
        action=action,
        takes=row.takes,
        moves=cost,
        restarts=cost,
        pauses=cost,
        members=verdict.members,
        partitions=effect.partitions,
        consumers=effect.consumers,
        least=effect.least,
        ends_s=effect.ends_s,
        caught_up_s=effect.caught_up_s,
    )
    more = twice_as_many(verdict, known) if action is Action.WAIT else None
    if more is None:
        return (remedy,)
    return (remedy, _more_consumers(*more))


def _remedy(verdict: Verdict, given: Given, known: Knowledge) -> Action | None:
    """Return what a verdict calls for; None where nothing helps but what changes owners."""
    action = ROWS[verdict.kind].remedy
    if verdict.kind is VerdictKind.STOPPED and verdict.figures.restarted_times:
        return Action.LOOK  # it has been restarted, to no effect
    if verdict.kind is VerdictKind.UNEVEN and not known.is_one_snapshot:
        return None
    if action is not Action.ADD_CONSUMERS:
        return action
    if not has_strategies(given.kind):
        return None  # its kind says how more of it read
    heavy = too_heavy(given.group, known.facts)
    is_keyed = heavy.size and have_hot_keys(given.group, known.facts, heavy)
    return Action.SPLIT_KEYS if is_keyed else action


def _more_consumers(count: int, ends_s: float) -> Option:
    """Return consumers that nobody needs, since the backlog ends without them, only later."""
    return Option(
        action=Action.ADD_CONSUMERS, consumers=count, ends_s=ends_s, why_not=WhyNot.ENDS_WITHOUT
    )
