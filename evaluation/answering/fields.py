"""The figures of an answer by name, as sentences write them; unknown ones are absent."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from assignors.kinds import GroupKind, connector_of
from assignors.model import UNOWNED, Group
from assignors.sums import exact_total
from evaluation.answering.answer import Answer
from evaluation.answering.given import ReadAgain
from evaluation.answering.options import Action, Option, Takes
from evaluation.answering.verdicts import Verdict
from evaluation.bounds.lag import deciding_partition
from evaluation.comparing.load import Load
from evaluation.comparing.worth import WORTH
from evaluation.consumer_labels import labels_of
from evaluation.diagnosis.concentration import UNEVEN
from evaluation.diagnosis.findings import OffByOne, TopicLeft, hindering
from evaluation.judging import JudgeBy
from evaluation.metrics import count_per_member, nothing_committed
from evaluation.rebalance.switching import way_in_words
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import (
    amount,
    duration,
    listed,
    natural,
    percent,
    plural,
    rate_amount,
)

_AGAIN: Final[Mapping[ReadAgain, dict[str, str]]] = {
    ReadAgain.BY_COMMAND: {},
    ReadAgain.ON_REQUEST: {"live": ""},
    ReadAgain.BY_ITSELF: {"live": "", "watched": ""},
}
_NAMED: Final = 4
"""Members or partitions that a sentence names; the rest are counted."""
_NEARLY_ALL: Final = 0.99
"""The share of the lag that one partition holds alone."""
_HALF_A_MINUTE_S: Final = 30.0
_PREFIX: Final = "consumer-"
"""What Kafka's clients put before the group where no client id is set."""
_STEADY: Final = 0.01
"""The share of arrivals up to which a backlog that shrinks is said to stay."""
_CLEARLY: Final = 1.1
"""One partition decides where its consumer has this multiple of an even share."""
_TWICE: Final = (1.95, 2.05)
_ZERO_TELLS: Final = {"read_between_records"}
"""Figures that say something also where they are zero."""
_UNITS: Final[Mapping[str, Callable[[float], str]]] = {
    "_per_s": lambda rate: f"{rate_amount(rate)}/s",
    "_s": duration,
    "_records": amount,
    "_load": amount,
    "_consumers": lambda count: plural(int(count), "consumer"),
    "_partitions": lambda count: plural(int(count), "partition"),
}
"""How figures are written, by the ends of their names."""


def in_natural_order(group: Group, members: Sequence[int]) -> list[str]:
    """Return the labels of these members, as people count."""
    names = called(group)
    return sorted((names[member] for member in members), key=natural)


def called(group: Group) -> tuple[str, ...]:
    """Return what sentences call each member: its label without a ``consumer-`` that all share."""
    labels = labels_of(group)
    shares = all(label.startswith(_PREFIX) and len(label) > len(_PREFIX) for label in labels)
    return tuple(label.removeprefix(_PREFIX) for label in labels) if shares else labels


def fields_of(answer: Answer) -> dict[str, str]:
    """Return every figure that a sentence may name, by name; what is unknown is absent."""
    verdict = answer.verdict
    return {
        **_group(answer),
        **_whom(answer, verdict),
        **_figures(verdict),
        **({"oldest": oldest} if (oldest := oldest_said(answer)) else {}),
        **_loads(answer),
        **_proposal(answer),
        **_sink(answer),
        **({"one_each": ""} if _has_one_each(answer.group) else {}),
    }


def oldest_said(answer: Answer) -> str:
    """Return how long the oldest record has waited, and how sure that is; "" if unknown."""
    seconds, times = answer.verdict.figure("oldest_s"), answer.known.times
    if not seconds:
        return ""
    places = np.array(answer.verdict.partitions, np.int64)
    dated = places[~np.isnan(times.age_s[places])]
    if not dated.size:
        return duration(seconds)
    return f"{times.how_sure(int(dated[np.argmax(times.age_s[dated])]))}{duration(seconds)}"


def _has_one_each(group: Group) -> bool:
    """Return whether no further consumer would get a partition."""
    return group.member_count >= int(np.count_nonzero(group.is_wanted))


def _sink(answer: Answer) -> dict[str, str]:
    """Return what is said of a sink connector's consumers: its tasks, today and as proposed."""
    group, option = answer.group, answer.proposal
    if answer.kind is not GroupKind.CONNECT_SINK:
        return {}
    ids = group.layout.client_ids
    found = {"connector": connector_of({ids.get(each, each) for each in group.members})}
    found["tasks_now"] = f"{group.member_count:,}"
    if option is not None and option.consumers is not None:
        found["tasks_then"] = f"{option.consumers:,}"
    if option is not None and option.takes is Takes.SETTING:
        found["by_setting"] = ""
    return found


def _alone(group: Group) -> int | None:
    """Return the partition that holds nearly all lag of a group that has others; else None."""
    lags = group.counted_lags
    if lags.size < 2 or not group.is_lag_known.all():  # noqa: PLR2004 -- one is always alone
        return None
    most = int(np.argmax(lags))
    return most if lags[most] > _NEARLY_ALL * exact_total(lags) else None


def _group(answer: Answer) -> dict[str, str]:
    group, kind, is_counted = answer.group, answer.kind, answer.known.facts.is_counted
    count = int(np.count_nonzero(is_counted))
    found = {
        "members": plural(group.member_count, "consumer"),
        "partitions": plural(count, "partition"),
        "partitions_are": "is" if count == 1 else "are",
        "share_them": "has" if group.member_count == 1 else "share",
        "topics": plural(np.unique(group.topic_of_partition[is_counted]).size, "topic"),
        "group": group.id or "this group",
        "group_has": f"{group.id} has" if group.id else "This group has",
        "group_is": f"{group.id} is" if group.id else "This group is",
        "kind": kind.noun,
        "assigned_by": kind.assigned_by,
        "kind_advice": kind.advice,
    }
    stands_s = answer.known.facts.stands_s
    found["later"] = "half a minute" if stands_s == _HALF_A_MINUTE_S else duration(stands_s)
    found["members_count"] = f"{group.member_count:,}"
    if (alone := _alone(group)) is not None:
        found["alone"] = group.partition_name(alone)
    found["members_are"] = "is" if group.member_count == 1 else "are"
    found |= {} if answer.known.history.has_several else {"single": ""}
    found["some_named" if group.member_count else "no_members"] = ""
    if answer.verdict.kind is VerdictKind.LAG_UNKNOWN and not group.is_lag_known.any():
        found["no_lags"] = ""
    found["partitions_count"] = f"{count:,}"
    if answer.now is None:
        found["fresh"] = ""
    elif np.ptp(count_per_member(group, answer.now.owners)) <= 1:
        found["counts_even"] = ""
    if any(isinstance(each, OffByOne) for each in answer.findings):
        found["off_by_one"] = ""
    found |= _AGAIN[answer.given.again]
    found |= _owners_unknown(answer) | _lags_unknown(group) | _unread(answer)
    if answer.given.lacking:
        found["lacking"] = answer.given.lacking
    if answer.verdict.look_at:
        found["look_at"] = f"look at {listed([each.value for each in answer.verdict.look_at])}"
    if not group.member_count:
        found |= {"empty": ""} | _by_topic(group)
    return found


def _owners_unknown(answer: Answer) -> dict[str, str]:
    """Return of how many partitions the text does not name the owner; {} if of none."""
    group = answer.group
    is_open = {"open": ""} if answer.verdict.kind is VerdictKind.OWNERS_UNKNOWN else {}
    unknown = int(np.count_nonzero(group.is_owner_unknown))
    if not unknown:
        return is_open
    is_all = {"all_unknown": ""} if unknown == group.partition_count else {}
    return {"owners_unknown": f"{unknown:,}", **is_all, **is_open}


def _unread(answer: Answer) -> dict[str, str]:
    """Return the topics that nobody reads, where the verdict is about them."""
    if answer.verdict.kind is not VerdictKind.TOPIC_UNREAD:
        return {}
    unread = [each for each in answer.findings if isinstance(each, TopicLeft)]
    names = [topic for each in unread for topic in each.topics]
    return {"unread_topics": listed(names, _NAMED)} if names else {}


def _lags_unknown(group: Group) -> dict[str, str]:
    """Return of how many partitions the lag is known, and where nothing is committed."""
    known = int(np.count_nonzero(group.is_lag_known))
    if known == group.partition_count:
        return {}
    found = {"lags_known": f"{known:,}"} if known else {}
    held = nothing_committed(group)
    if held.any():
        bare = np.flatnonzero(held).tolist()
        found["bare"] = listed([group.partition_name(each) for each in bare], _NAMED)
        found["bare_records"] = plural(int(held.sum()), "record")
        if known and group.counted_lags.any():
            found["bare_decides"] = ""
    return found


def _by_topic(group: Group) -> dict[str, str]:
    """Return what waits in each of several topics, the most first."""
    if len(group.topics) <= 1:
        return {}
    lags = [
        exact_total(group.counted_lags[group.topic_of_partition == t])
        for t in range(len(group.topics))
    ]
    most = sorted(range(len(lags)), key=lambda topic: -lags[topic])
    waiting = [f"{group.topics[t]} {amount(lags[t])}" for t in most if lags[t]]
    return {"by_topic": listed(waiting, _NAMED)} if waiting else {}


def _whom(answer: Answer, verdict: Verdict) -> dict[str, str]:
    """Return the members and partitions that the verdict is about, in words."""
    group, members, partitions = answer.group, verdict.members, verdict.partitions
    found: dict[str, str] = {}
    if members:
        found |= _members(answer, members)
    if partitions:
        names = sorted((group.partition_name(p) for p in partitions), key=natural)
        found |= {
            "what": listed(names, _NAMED),
            "what_gets": "gets" if len(names) == 1 else "get",
            "what_count": plural(len(names), "partition"),
            "its_key": "its key" if len(names) == 1 else "their keys",
            "what_it": "it" if len(names) == 1 else "them",
        }
        if len(names) == 1:
            found["one_what"] = ""
        topics = group.topic_of_partition
        if np.isin(topics[list(partitions)], topics[group.present_owners != UNOWNED]).all():
            found["others_owned"] = ""
    if verdict.owns_nothing:
        idle = in_natural_order(group, verdict.owns_nothing)
        found |= {
            "idle_count": f"{len(idle):,} of {plural(group.member_count, 'consumer')}",
            "idle_are": "is" if len(idle) == 1 else "are",
            "idle": listed(idle, _NAMED),
            "idle_own": "owns" if len(idle) == 1 else "own",
        }
        surplus = verdict.figure("surplus_consumers")
        if surplus is not None and surplus < len(idle):
            found["surplus_only"] = f"{int(surplus):,}"
    return found


def _members(answer: Answer, members: Sequence[int]) -> dict[str, str]:
    group, is_one = answer.group, len(members) == 1
    named = in_natural_order(group, members)
    hosts = sorted(
        {
            answer.given.hosts[name].lstrip("/")
            for member in members
            if (name := group.members[member]) in answer.given.hosts
        },
        key=natural,
    )
    clients = dict.fromkeys(
        client
        for member in members
        if (client := group.layout.client_ids.get(group.members[member], ""))
        and not called(group)[member].startswith(client)
    )
    at = " at ".join(listed([*each], _NAMED) for each in (clients, hosts) if each)
    where = f" ({at})" if at else ""
    counted = _counted(len(members), group.member_count)
    return {
        "who": listed(named, _NAMED),
        "who_at": f"{listed(named, _NAMED)}{where}",
        "consumers": named[0] if is_one else counted,
        "have": "has" if is_one else "have",
        "are": "is" if is_one else "are",
        "read": "reads" if is_one else "read",
        "hold": "holds" if is_one else "hold",
        "catch": "catches" if is_one else "catch",
        "they": "it" if is_one else "they",
        "them": "it" if is_one else "them",
        "these": named[0] if is_one else f"these {_number(len(members))}",
    }


def _counted(count: int, of: int) -> str:
    """Return how many of the consumers: "3 of 8 consumers", "All 8 consumers", "Both consumers"."""
    if count < of:
        return f"{count:,} of {plural(of, 'consumer')}"
    return {1: "The only consumer", 2: "Both consumers"}.get(of, f"All {plural(of, 'consumer')}")


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[count] if count < len(words) else f"{count:,}"


def _figures(verdict: Verdict) -> dict[str, str]:
    """Return the verdict's own figures; most that are zero are not worth a word."""
    known = {
        name: value
        for name in verdict.figures
        if (value := verdict.figure(name)) or (value is not None and name in _ZERO_TELLS)
    }
    found = {"dated" if verdict.is_dated else "undated": ""}
    approximate = "" if verdict.is_dated else "≈ "
    for name, value in known.items():
        short, written = _written(name, value)
        found[short] = f"{approximate}{written}" if name.endswith("_per_s") else written
    if lag := known.get("lag_records"):
        found["records_wait"] = "1 record waits" if lag == 1 else f"{amount(lag)} records wait"
    if came := known.get("arrived_records"):
        found["arrived_records"] = "1 record" if came == 1 else f"{amount(came)} records"
    if verdict.figures.get("lag_records") == 0:
        found["no_lag"] = ""
    if np.isfinite(known.get("ends_s", np.inf)):
        found["ends_known"] = ""
    if verdict.since_s:
        least = "at least " if verdict.is_older else ""
        found["since"] = f"{least}{duration(verdict.since_s)}"
    usual, arriving = known.get("usual_per_s"), known.get("arriving_per_s")
    if usual and arriving and len(verdict.partitions) == 1:
        found["times_usual"] = f"{arriving / usual:,.0f} times"
    return found | _growth(known)


def _written(name: str, value: float) -> tuple[str, str]:
    """Return the name of a figure without its unit, and the figure as sentences write it."""
    for unit, write in _UNITS.items():
        if name.endswith(unit):
            return name.removesuffix(unit), write(value)
    return name, percent(value) if name == "share" else f"{int(value):,}"


def _growth(known: Mapping[str, float]) -> dict[str, str]:
    """Return by how much a backlog grows, or that it stays as it is."""
    arriving, reading = known.get("arriving_per_s", np.nan), known.get("reading_per_s", np.nan)
    grows = arriving - reading
    if -_STEADY * arriving <= grows <= 0:
        return {"steady": ""}
    return {"grows": f"{rate_amount(grows)}/s"} if grows > 0 else {}


def load_words(load: Load, value: int) -> str:
    """Return a load with its unit: "72.7 k records", "1 partition"."""
    if not load.by_weight:
        return plural(value, "partition")
    unit = load.unit.replace("records", "record") if value == 1 else load.unit
    return f"{amount(value)} {unit}"


def _loads(answer: Answer) -> dict[str, str]:
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


def _proposal(answer: Answer) -> dict[str, str]:
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
        found["few_moves"] = f"{_number(move.moves)} move{'' if move.moves == 1 else 's'}"
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
    return {"its_key": f"the key{'s' * (len(names) > 1)} of {listed(names, _NAMED)}"}


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
