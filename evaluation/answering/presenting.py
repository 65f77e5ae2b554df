"""What a room is told beside an answer: cause, cost, next step, risk, way back, and the decision.

Rows of templates as in ``words``; a sentence whose figures are not known is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from assignors.sums import exact_total
from evaluation.answering.action_templates import ACTIONS
from evaluation.answering.answer import Answer
from evaluation.answering.fields import fields_of
from evaluation.answering.options import Action
from evaluation.answering.verdict_rows.row import Sentence
from evaluation.answering.words import imperative_field, said
from evaluation.bounds.lag import consumer_count
from evaluation.wording import percent

HEAVIEST: Final = 20
"""The partitions with most load among which a consumer's own are counted."""


class _Row(NamedTuple):
    """What is said of one kind of action."""

    short: Sentence
    """What is proposed, in a few words."""
    follow: Sentence
    """What comes next; without one, the action's own imperative."""
    risk: tuple[Sentence, ...]
    rollback: Sentence
    check: Sentence
    decision: Sentence
    cost: Sentence = ()


@dataclass(frozen=True)
class Presented:
    """An answer's sentences for a room; "" for what does not apply."""

    cause: str
    """Where the load lies, where that says more than the verdict."""
    short: str
    """The proposal in a few words."""
    cost: str
    follow: str
    """What comes next."""
    risk: str
    rollback: str
    check: str
    """How to tell that it helped."""
    decision: str
    """The question to decide."""


CAUSE: Final[Sentence] = (
    "{what} {what_hold} {what_share} of the lag.{?alarm}{?one_what}",
    "{who} {hold} {what_share} of the lag, in {what_count}.{?alarm}",
    "{what_count} {what_hold} {what_share} of the lag.{?alarm}",
    "{deciding} alone holds {deciding_share} of the {noun}: no strategy divides it.",
    (
        "{busiest_who} owns {heavy_own} of the {heavy_count} partitions with the most {noun}; an "
        "even share is {heavy_share}."
    ),
)
"""Where the load lies."""

_ASSIGNED: Final = _Row(
    ("{strategy}", "{few_moves}"),
    (
        "{strategy} runs already: its next rebalance brings this.{?runs_already}",
        "Next: set {strategy} before the first start.{?fresh}",
        "Next: our assignor {strategy} on every consumer, by {way}.{?by_jar}",
        "Next: {way} to {strategy}, undone the same way.",
    ),
    (
        ("Every rebalance then stops all {members} (eager protocol).{?stops_all}",),
        ("Owners change once, of {moved}.",),
        ("The new ids decide: {span} on the busiest in 90 % of simulated restarts.",),
    ),
    (
        "Nothing runs yet: another strategy can be set as easily.{?fresh}",
        "The same steps with the names exchanged; offsets are kept.",
    ),
    ("Paste the group again and expect {then} on the busiest consumer.",),
    ("Run {group} under {strategy}?",),
    (
        "Nothing has to move: the group starts with it.{?fresh}",
        *ACTIONS[Action.SWITCH][1],
        "It takes {way}.",
    ),
)
_LOOKED_AT: Final = _Row(
    (),
    (),
    (("Nothing changes until the cause is known; the lag goes on growing.{?growing}",),),
    (),
    ("Paste the group again afterwards.",),
    ("Who looks into it?",),
)
_ROWS: Final[Mapping[Action, _Row]] = {
    Action.SWITCH: _ASSIGNED,
    Action.RESTART: _Row(
        ("restart {these}",),
        (),
        (("What made {them} stop is lost with the restart: take a thread dump first.",),),
        ("Nothing to undo; offsets are kept.",),
        ("Paste the group again: the offsets of {who} have to move.",),
        ("Restart {these}?",),
    ),
    Action.FIX_RECORD: _Row(
        ("fix or skip one record",),
        (),
        (("A skipped record is lost: keep a copy of it.",),),
        ("Reset the partition to offset {offset}.", "Reset the partition to its old offset."),
        ("Paste the group again: the offset of {what} has to move.",),
        ("Fix the record, or skip it?",),
    ),
    Action.RESET_OFFSETS: _Row(
        ("reset the offsets",),
        (),
        (("Of a log that was truncated, --to-earliest reads records a second time.",),),
        ("Reset them to the old offsets, from which nothing is read.",),
        ("Paste the group again: the offsets of {what} have to be within the log.",),
        ("Read all that is there, or skip it?",),
    ),
    Action.SPLIT_KEYS: _Row(
        ("split {its_key}",),
        (),
        (("Records of one key then lose their order across partitions.",),),
        ("The old key, for new records only.",),
        ("Paste the group again: {what} has to get no more than a consumer reads.",),
        ("Split {its_key}?",),
    ),
    Action.ADD_CONSUMERS: _Row(
        ("{consumers_then}", "more consumers"),
        (),
        (("The group rebalances as they join; beyond {partitions} they stay idle.",),),
        ("Stop the added consumers; offsets are kept.",),
        ("Paste the group twice: the lag has to fall.",),
        ("Run {consumers_then}?", "Run more consumers?"),
        ("{consumer_change} more consumers: the backlog no longer grows.",),
    ),
    Action.REMOVE_CONSUMERS: _Row(
        ("{consumers_then}",),
        (),
        (("Without spares, a lost consumer is missed at once.",),),
        ("Start them again.",),
        ("Paste the group again: no consumer is idle.",),
        ("Run {consumers_then}?",),
        ("{consumer_change} fewer consumers.",),
    ),
    Action.START: _Row(
        ("start consumers",),
        (),
        (("Meanwhile records get older, until retention deletes them.",),),
        ("Stop them again; offsets are kept.",),
        ("Paste the group again: every partition has an owner.",),
        ("Who starts them?",),
    ),
    Action.LOOK: _LOOKED_AT,
}
"""What is said of each action; of others, nothing."""
_NOTHING: Final = _Row((), (), (), (), (), ())


def presented(answer: Answer) -> Presented:
    """Return what a room is told beside an answer's own words."""
    fields = fields_of(answer) | _beside(answer)
    option = answer.proposal
    row = _NOTHING if option is None else _ROWS.get(option.action, _NOTHING)
    first = () if option is None else next(iter(ACTIONS[option.action]), ())
    if option is not None:
        fields |= imperative_field(option.action, fields)
    return Presented(
        cause=said(CAUSE, fields),
        short=said(row.short, fields),
        cost=said(row.cost, fields),
        follow=said(row.follow or first, fields),
        risk=" ".join(filter(None, (said(each, fields) for each in row.risk))),
        rollback=said(row.rollback, fields),
        check=said(row.check, fields),
        decision=said(row.decision, fields),
    )


def _beside(answer: Answer) -> dict[str, str]:
    """Return what these sentences name beside an answer's own."""
    verdict, option, found = answer.verdict, answer.proposal, dict[str, str]()
    if verdict.is_alarm:
        found["alarm"] = ""
    if verdict.partitions and len(verdict.members) < max(answer.group.member_count, 1):
        found["what_hold"] = "holds" if len(verdict.partitions) == 1 else "hold"
        share = _share(answer, answer.given.group.counted_lags, verdict.partitions)
        found |= {} if share is None else {"what_share": share}
    if option is not None and option.stops_all:
        found["stops_all"] = ""
    if option is not None and option.restarts == 0 and answer.now is not None:
        found["runs_already"] = ""
    if verdict.figures.get("arriving_per_s"):
        found["growing"] = ""
    return found | _heaviest(answer)


def _share(
    answer: Answer, of_each: np.ndarray[tuple[int], np.dtype[np.int64]], those: tuple[int, ...]
) -> str | None:
    total = exact_total(of_each[answer.known.facts.is_counted])
    return percent(exact_total(of_each[list(those)]) / total) if total else None


def heaviest_partitions(answer: Answer) -> tuple[int, ...]:
    """Return the partitions with most load, the largest first, those without any left out."""
    group = answer.group
    weights = group.counted_weights
    if group.member_count:  # else nobody subscribes, and yet all of it waits
        weights = np.where(group.is_wanted, weights, 0)
    order = np.argsort(-weights, kind="stable")[:HEAVIEST]
    return tuple(order[weights[order] > 0].tolist())


def _heaviest(answer: Answer) -> dict[str, str]:
    """Return how many of the heaviest partitions the busiest consumer owns."""
    group, now, consumers = answer.group, answer.now, consumer_count(answer.group)
    top = heaviest_partitions(answer)
    if now is None or not top or not consumers or not answer.load.by_weight:
        return {}
    busiest = int(np.argmax(answer.load.per_member(group, now.owners)))
    own = int(np.count_nonzero(now.owners[list(top)] == busiest))
    found = {
        "heavy_own": f"{own:,}",
        "heavy_count": f"{len(top):,}",
        "heavy_share": f"{len(top) / consumers:.2g}",
    }
    decides = int(np.argmax(group.counted_weights))
    share = _share(answer, group.counted_weights, (decides,))
    return found | ({} if share is None else {"deciding_share": share})
