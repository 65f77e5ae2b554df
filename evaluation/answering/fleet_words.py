"""A fleet in words, without markup: how many groups do not keep up, and what to do first."""

from dataclasses import dataclass
from typing import Final

from assignors.catalogue import strategies
from evaluation.answering.of_fleet import FleetVerdict, GroupStanding, Urgency
from evaluation.answering.words import imperative, short_words
from evaluation.comparing.worth import WORTH
from evaluation.judging import LAG, Measure
from evaluation.wording import listed, percent, plural

NO_SNAPSHOT: Final = "No group has a snapshot in this cluster and time."


@dataclass(frozen=True)
class FleetWords:
    """A verdict on a fleet in words; "" for what there is nothing to say of."""

    headline: str
    evidence: str = ""
    action: str = ""


def fleet_words(found: FleetVerdict, measure: Measure = LAG) -> FleetWords:
    """Return the finding on a fleet, its evidence, and where to start."""
    if not found.count:
        return FleetWords(NO_SNAPSHOT)
    of = plural(found.count, "group")
    if not found.is_checked:
        return FleetWords(f"{of}: checking those with most load at their last snapshots.")
    behind, warned = found.those(Urgency.BEHIND), found.those(Urgency.WARNED)
    if behind:
        headline = f"{len(behind):,} of {of} {_verb(behind, 'do')} not keep up."
    elif warned:
        headline = f"{len(warned):,} of {of} {_verb(warned, 'need')} attention."
    else:
        headline = _helped(found.helped, measure, of)
    is_trouble = bool(behind or warned)
    evidence = [
        _hopeless(behind),
        f"{len(warned):,} more {_verb(warned, 'need')} attention." if behind and warned else "",
        _helped(found.helped, measure) if is_trouble and found.helped else "",
        "" if is_trouble else _largest(found),
        _by_jar(found.helped_by_jar),
        _open(found.open_count),
        _unseen(found.count - len(found.looked_at)),
        _not_ranked(found),
    ]
    return FleetWords(headline, " ".join(filter(None, evidence)), _start(found))


def now(group: GroupStanding) -> str:
    """Return what is the matter with a group; "" if nobody looked."""
    return "" if group.verdict is None else short_words(group.verdict.kind, group.figures)


def to_do(group: GroupStanding) -> str:
    """Return what to do about a group; "" if nothing.

    What it brings is on the group's own page.
    """
    advice = group.advice
    if advice.action is None:
        return ""
    if advice.strategy is None:
        return imperative(advice.action, group.figures)
    label = _label(advice.strategy)
    if not advice.is_checked:
        return f"{label}: gain by one simulation; open to check"
    fields: dict[str, str | bool] = {"strategy": label}
    if group.runs == advice.strategy:
        fields["runs"] = True
    said = imperative(advice.action, fields)
    return f"{said}, with a jar" if advice.takes_jar else said


def _start(found: FleetVerdict) -> str:
    first = found.start
    if first is None:
        return ""
    said = [f"Start with {_called(first, found)}: {now(first)}", to_do(first)]
    return " ".join(f"{each}." for each in said if each)


def _called(group: GroupStanding, found: FleetVerdict) -> str:
    """Return a group's name, with its cluster where another one has a group of that name."""
    is_alone = sum(each.name == group.name for each in found.groups) == 1
    return group.name if is_alone else f"{group.name} ({group.cluster})"


def _hopeless(behind: list[GroupStanding]) -> str:
    hopeless = [each for each in behind if each.is_hopeless]
    if not hopeless:
        return ""
    who = f"{len(hopeless):,} of them" if len(hopeless) < len(behind) else "Each"
    if len(behind) == 1:
        who = "It"
    verb = "catches" if who in {"Each", "It"} or len(hopeless) == 1 else "catch"
    return f"{who} never {verb} up as things are."


def _helped(helped: list[GroupStanding], measure: Measure, of: str = "") -> str:
    """Return how many groups a setting helps, out of all of them if they are given."""
    share = f"{_percent(WORTH)} or more of the {measure.noun}"
    if not helped:
        return f"No setting takes {share} off any group's busiest consumer."
    count = f"{len(helped):,} of {of}" if of else plural(len(helped), "group")
    return f"A setting takes {share} off the busiest consumer of {count}."


def _largest(found: FleetVerdict) -> str:
    """Return where a setting takes most off, and which, unless the group is to do otherwise."""
    if not found.helped:
        return ""
    most = max(found.helped, key=lambda each: each.setting_gain)
    said = f"The largest gain is {_percent(most.setting_gain)}, in {_called(most, found)}"
    is_proposed = most.setting is not None and most.advice.strategy == most.setting
    return f"{said}, under {_label(str(most.setting))}." if is_proposed else f"{said}."


def _by_jar(groups: list[GroupStanding]) -> str:
    more = plural(len(groups), "more group")
    return f"{more} would gain with a jar only." if groups else ""


def _open(count: int) -> str:
    gain = "gains" if count == 1 else "gain"
    more = plural(count, "more group")
    return f"{more} {gain} by one simulation; open to check." if count else ""


def _unseen(count: int) -> str:
    have = "has" if count == 1 else "have"
    return f"{plural(count, 'group')} {have} not been looked at." if count else ""


def _not_ranked(found: FleetVerdict) -> str:
    """Return which groups are not ranked, by kind; "" without any."""
    if not found.unranked:
        return ""
    each = sorted(f"{count:,} {kind.label}" for kind, count in found.unranked.items())
    return f"Not ranked, as no strategy of consumer groups applies: {listed(each)}."


def _verb(groups: list[GroupStanding], verb: str) -> str:
    return verb if len(groups) != 1 else {"do": "does"}.get(verb, f"{verb}s")


def _label(strategy: str) -> str:
    return strategies()[strategy].label if strategy in strategies() else strategy


def _percent(share: float) -> str:
    return percent(share).replace(" ", "\N{NO-BREAK SPACE}")
