"""What a room is told beside an answer: cause, cost, next step, risk, way back, and the decision.

Rows of templates as in ``words``; a sentence whose figures are not known is left out.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from assignors.sums import exact_total
from evaluation.answering.action_rows import ACTIONS
from evaluation.answering.action_rows.row import ActionRow
from evaluation.answering.answer import Answer
from evaluation.answering.fields import fields_of
from evaluation.answering.fields.names import Fields
from evaluation.answering.templates import Sentence, joined, said
from evaluation.answering.words import imperative_field
from evaluation.bounds.lag import consumer_count
from evaluation.wording import percent

HEAVIEST: Final = 20
"""The partitions with most load among which a consumer's own are counted."""


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


def presented(answer: Answer) -> Presented:
    """Return what a room is told beside an answer's own words."""
    fields, option = fields_of(answer) | _beside(answer), answer.proposal
    row = ActionRow() if option is None else ACTIONS[option.action]
    if option is not None:
        fields |= imperative_field(option.action, fields)
    room, first = row.room, next(iter(row.sentences), ())
    return Presented(
        cause=said(CAUSE, fields),
        short=said(room.short, fields),
        cost=said(room.cost, fields),
        follow=said(room.follow or first, fields),
        risk=joined(room.risk, fields),
        rollback=said(room.rollback, fields),
        check=said(room.check, fields),
        decision=said(room.decision, fields),
    )


def _beside(answer: Answer) -> Fields:
    """Return what these sentences name beside an answer's own."""
    verdict, option, found = answer.verdict, answer.proposal, Fields()
    if verdict.is_alarm:
        found["alarm"] = True
    if verdict.partitions and len(verdict.members) < max(answer.group.member_count, 1):
        found["what_hold"] = "holds" if len(verdict.partitions) == 1 else "hold"
        share = _share(answer, answer.given.group.counted_lags, verdict.partitions)
        found |= {} if share is None else {"what_share": share}
    if option is not None and option.stops_all:
        found["stops_all"] = True
    if option is not None and option.restarts == 0 and answer.now is not None:
        found["runs_already"] = True
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


def _heaviest(answer: Answer) -> Fields:
    """Return how many of the heaviest partitions the busiest consumer owns."""
    group, now, consumers = answer.group, answer.now, consumer_count(answer.group)
    top = heaviest_partitions(answer)
    if now is None or not top or not consumers or not answer.load.by_weight:
        return {}
    busiest = int(np.argmax(answer.load.per_member(group, now.owners)))
    own = int(np.count_nonzero(now.owners[list(top)] == busiest))
    found: Fields = {
        "heavy_own": f"{own:,}",
        "heavy_count": f"{len(top):,}",
        "heavy_share": f"{len(top) / consumers:.2g}",
    }
    decides = int(np.argmax(group.counted_weights))
    share = _share(answer, group.counted_weights, (decides,))
    if share is not None:
        found["deciding_share"] = share
    return found
