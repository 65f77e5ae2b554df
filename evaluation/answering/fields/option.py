"""What is proposed, as sentences write it; what is unknown is absent."""

from typing import Final

import numpy as np

from assignors.kinds import GroupKind
from assignors.strategy import Protocol
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.fields.load import load_words
from evaluation.answering.fields.names import Fields
from evaluation.answering.naming import NAMED, number_words
from evaluation.answering.options import Option
from evaluation.answering.why_not import WhyNot
from evaluation.comparing.worth import WORTH
from evaluation.diagnosis.findings import hindering
from evaluation.diagnosis.overload import needed_consumers
from evaluation.measuring.facts import PACE
from evaluation.rebalance.switching import way_in_words
from evaluation.takes import Takes
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import (
    amount,
    duration,
    listed,
    percent,
    plural,
)

_AGAIN_AND_AGAIN: Final = {VerdictKind.KEEPS_REBALANCING, VerdictKind.REBALANCES_OFTEN}


def proposal_in(answer: Answer) -> Fields:
    """Return what is proposed, and what few moves would bring."""
    found, runs = Fields(), answer.running.presumed
    if runs is not None and runs.protocol is Protocol.BROKER:
        found["on_broker"] = True
    if answer.proposal is not None:
        found |= _option(answer.proposal, answer) | _keys(answer.proposal, answer)
    adding = next((o for o in answer.options if o.action is Action.ADD_CONSUMERS), None)
    if adding is not None and adding.why_not is not None and adding.consumers is not None:
        found["more_consumers"] = plural(adding.consumers, "consumer")
        found["more_ends"] = duration(adding.ends_s or 0.0)
    found |= _calmer(answer)
    move = answer.few_moves
    if move is not None and _is_worth_saying(move, answer.proposal):
        found["few_moves"] = f"{number_words(move.moves or 0)} move{'' if move.moves == 1 else 's'}"
        found["few_gain"] = percent(move.gain or 0.0)
        found["those"] = "that one" if move.moves == 1 else "those"
    is_ended = any(map(_ends, answer.options))
    if hindering(answer.findings) is None and not is_ended and _would_keep_pace(answer):
        found["even_keeps_pace"] = True
    elif hindering(answer.findings) is not None or not is_ended:
        found["none_helps"] = True
    return found


def _calmer(answer: Answer) -> Fields:
    """Return what makes rebalances that happen again and again cost less, though not rarer."""
    if answer.verdict.kind not in _AGAIN_AND_AGAIN:
        return {}
    found: Fields = {"can_be_static": True} if answer.kind is GroupKind.CONSUMER else {}
    calmer = [o for o in answer.options if o.why_not is WhyNot.CAUSE_FIRST]
    ways = [o.outcome.label for o in calmer if o.takes is Takes.SETTING and o.outcome is not None]
    if any(o.takes is Takes.BROKER for o in calmer):
        ways.append("the new protocol (group.protocol=consumer)")
    if ways:
        found["calmer"] = " or ".join(ways)
    return found


def _would_keep_pace(answer: Answer) -> bool:
    """Return whether as many consumers as there are keep pace, if each gets as much."""
    needed = needed_consumers(answer.known.group, answer.facts)
    if answer.verdict.kind is not VerdictKind.NEVER_CATCHES_UP or needed is None:
        return False
    flow = answer.verdict.figures
    arriving, reading = flow.arriving_per_s, flow.reading_per_s
    is_growing = bool(arriving and reading is not None and reading < (1 - PACE) * arriving)
    return is_growing and needed <= answer.group.member_count


def _ends(option: Option) -> bool:
    """Return whether a backlog ends under other owners."""
    ends_s = option.ends_s
    return option.changes_owners and ends_s is not None and bool(np.isfinite(ends_s))


def _is_worth_saying(move: Option, proposal: Option | None) -> bool:
    """Return whether a few moves gain clearly more than what is proposed, or move clearly less.

    Not where more than the lack of a setting stands against them.
    """
    if not move.passes and move.why_not is not WhyNot.ONLY_BY_JAR:
        return False
    if proposal is None or proposal.gain is None:
        return True
    has_fewer = 2 * (move.moves or 0) <= (proposal.moves or 0)
    return has_fewer or (move.gain or 0.0) >= proposal.gain + WORTH


def _keys(option: Option, answer: Answer) -> Fields:
    """Return which keys are to be split, where the headline does not name the partitions."""
    if option.action is not Action.SPLIT_KEYS or answer.verdict.kind is VerdictKind.TOO_HOT:
        return {}
    names = [answer.group.partition_name(p) for p in option.partitions]
    return {"its_key": f"the key{'s' * (len(names) > 1)} of {listed(names, NAMED)}"}


def _option(option: Option, answer: Answer) -> Fields:
    found: Fields = {}
    outcome = option.outcome
    if outcome is not None:
        found["strategy"] = outcome.label
        found["then"] = amount(option.busiest) if option.busiest is not None else "unknown"
        found["then_load"] = load_words(answer.load, option.busiest or 0)
    if option.is_gain and option.gain is not None:
        found["gain"] = percent(option.gain)
    if option.low is not None and option.high is not None:
        found["span"] = f"{amount(option.low)} to {amount(option.high)}"
    if option.moves:
        found["moved"] = plural(option.moves, "partition")
    if option.action is Action.SWITCH:
        found |= _switch(option, answer)
    if option.consumers is not None:
        found["consumers_then"] = plural(option.consumers, "consumer")
        if option.least is not None:
            found["least_then"] = plural(option.least, "consumer")
        found["consumer_change"] = f"{abs(option.consumers - answer.group.member_count):,}"
    keep = answer.keep
    is_endless = keep is not None and keep.ends_s is not None and np.isinf(keep.ends_s)
    if is_endless:
        found["never_now"] = True
    return found | _until(option)


def _switch(option: Option, answer: Answer) -> Fields:
    """Return how one gets a strategy."""
    found: Fields = {"way": way_in_words(option.restarts, option.fewest_restarts)}
    if option.takes is Takes.NOTHING:
        found["runs"] = True
    if option.takes is Takes.NOTHING and not answer.running.strategy:
        found["presumed"] = True
    if option.takes is Takes.JAR:
        return {**found, "by_jar": True}
    return {**found, "not_by_jar": True}


def _until(option: Option) -> Fields:
    """Return until when the backlog has ended, and those that an option concerns have caught up."""
    found: Fields = {}
    if option.caught_up_s is not None:
        found["caught_up"] = duration(option.caught_up_s)
    if option.ends_s is not None and np.isfinite(option.ends_s):
        found["ends_then"] = duration(option.ends_s)
    return found
