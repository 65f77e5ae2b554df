"""What is proposed, and how loads are divided, as sentences write it; what is unknown is absent."""

from typing import Final

import numpy as np

from evaluation.answering.answer import Answer
from evaluation.answering.naming import NAMED, number_words
from evaluation.answering.options import Action, Option, Takes
from evaluation.bounds.lag import deciding_partition
from evaluation.comparing.load import Load
from evaluation.comparing.worth import WORTH
from evaluation.consumer_labels import called
from evaluation.diagnosis.concentration import UNEVEN
from evaluation.diagnosis.findings import hindering
from evaluation.judging import JudgeBy
from evaluation.rebalance.switching import way_in_words
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import (
    amount,
    duration,
    listed,
    percent,
    plural,
)

_CLEARLY: Final = 1.1
"""One partition decides where its consumer has this multiple of an even share."""
_TWICE: Final = (1.95, 2.05)


def load_words(load: Load, value: int) -> str:
    """Return a load with its unit: "72.7 k records", "1 partition"."""
    if not load.by_weight:
        return plural(value, "partition")
    unit = load.unit.replace("records", "record") if value == 1 else load.unit
    return f"{amount(value)} {unit}"


def loads_in(answer: Answer) -> dict[str, str]:
    """Return the busiest consumer's load, an even share, and what a load is."""
    load, keep, group = answer.load, answer.keep, answer.group
    found = {"noun": load.noun, "unit": load.unit}
    if load.measure.by is JudgeBy.LAG and load.by_weight:
        found["by_lag"] = ""
    if keep is None or keep.outcome is None:
        return found
    loads = load.per_member(group, keep.outcome.owners)
    if not loads.size or not loads.any():
        return found
    who = int(np.argmax(loads))
    even = answer.verdict.figure("even_load")
    found |= {
        "busiest_who": called(group)[who],
        "busiest_load": load_words(load, int(loads[who])),
        "busiest_amount": amount(int(loads[who])),
    }
    if even:
        times = float(loads[who]) / even
        found["even_share"] = amount(round(even))
        if found["even_share"] != found["busiest_amount"]:
            found["above_share"] = ""
        if times >= UNEVEN:
            is_twice = _TWICE[0] <= times < _TWICE[1]
            found["times"] = "twice" if is_twice else f"{times:.1f} times"
    partition = deciding_partition(group) if load.by_weight else None
    if partition is not None and even and loads[who] >= _CLEARLY * even:
        found["deciding"] = group.partition_name(partition)
    return found


def proposal_in(answer: Answer) -> dict[str, str]:
    """Return what is proposed, and what few moves would bring."""
    found: dict[str, str] = {}
    if answer.proposal is not None:
        found |= _option(answer.proposal, answer) | _keys(answer.proposal, answer)
    adding = next((o for o in answer.options if o.action is Action.ADD_CONSUMERS), None)
    if adding is not None and adding.why_not is not None and adding.consumers is not None:
        found["more_consumers"] = plural(adding.consumers, "consumer")
        found["more_ends"] = duration(adding.ends_s or 0.0)
    move = answer.few_moves
    if move is not None and move.gain and move.moves and _is_worth_saying(move, answer.proposal):
        found["few_moves"] = f"{number_words(move.moves)} move{'' if move.moves == 1 else 's'}"
        found["few_gain"] = percent(move.gain)
        found["those"] = "that one" if move.moves == 1 else "those"
    if hindering(answer.findings) is not None or not any(map(_ends, answer.options)):
        found["none_helps"] = ""
    return found


def _ends(option: Option) -> bool:
    """Return whether a backlog ends under other owners."""
    is_change = option.action in {Action.SWITCH, Action.MOVE}
    return is_change and option.ends_s is not None and bool(np.isfinite(option.ends_s))


def _is_worth_saying(move: Option, proposal: Option | None) -> bool:
    """Return whether a few moves gain clearly more than what is proposed, or move clearly less."""
    if proposal is None or proposal.gain is None:
        return True
    has_fewer = 2 * (move.moves or 0) <= (proposal.moves or 0)
    return has_fewer or (move.gain or 0.0) >= proposal.gain + WORTH


def _keys(option: Option, answer: Answer) -> dict[str, str]:
    """Return which keys are to be split, where the headline does not name the partitions."""
    if option.action is not Action.SPLIT_KEYS or answer.verdict.kind is VerdictKind.TOO_HOT:
        return {}
    names = [answer.group.partition_name(p) for p in option.partitions]
    return {"its_key": f"the key{'s' * (len(names) > 1)} of {listed(names, NAMED)}"}


def _option(option: Option, answer: Answer) -> dict[str, str]:
    found = dict[str, str]()
    outcome = option.outcome
    if outcome is not None:
        found["strategy"] = outcome.label
        found["then"] = amount(option.busiest) if option.busiest is not None else "unknown"
        found["then_load"] = load_words(answer.load, option.busiest or 0)
    if option.gain:
        found["gain" if option.gain > 0 else "loss"] = percent(abs(option.gain))
    if option.low is not None and option.high is not None:
        found["span"] = f"{amount(option.low)} to {amount(option.high)}"
    if option.moves:
        found["moved"] = plural(option.moves, "partition")
    if option.action is Action.SWITCH:
        found["way"] = way_in_words(option.restarts, option.fewest_restarts)
        if option.takes is Takes.NOTHING:
            found |= {"runs": ""} if answer.running.strategy else {"runs": "", "presumed": ""}
        found["by_jar" if option.takes is Takes.JAR else "not_by_jar"] = ""
    if option.consumers is not None:
        found["consumers_then"] = plural(option.consumers, "consumer")
        found["least_then"] = plural(option.least or option.consumers, "consumer")
        found["consumer_change"] = f"{abs(option.consumers - answer.group.member_count):,}"
    keep = answer.keep
    is_endless = keep is not None and keep.ends_s is not None and np.isinf(keep.ends_s)
    if is_endless:
        found["never_now"] = ""
    return found | _until(option)


def _until(option: Option) -> dict[str, str]:
    """Return until when the backlog has ended, and those that an option concerns have caught up."""
    found = dict[str, str]()
    if option.caught_up_s is not None:
        found["caught_up"] = duration(option.caught_up_s)
    if option.ends_s is not None:
        found["ends_then" if np.isfinite(option.ends_s) else "never_then"] = duration(option.ends_s)
    return found
