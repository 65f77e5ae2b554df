"""Claims, and quotas of members that subscribe alike, in words."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

import numpy as np

from assignors.model import NO_GENERATION, UNOWNED
from assignors.quotas import held_by_each
from assignors.trace import rules
from assignors.trace.events import Kind
from evaluation.explain.names import Names, Step
from evaluation.explain.replay import ReplayMoment
from evaluation.explain.words.decisions import RACKS, WordsOf
from evaluation.wording import listed, ordinal, plural


def _shares(rule: rules.Shares, at: ReplayMoment, names: Names) -> Iterator[Step]:
    members = at.group.member_count
    more = f"and {rule.extras:,} of them one more" if rule.extras else "with none left over"
    alike = (
        f"All {members:,} list the same topics" if members > 1 else f"{names.member(0)} is alone"
    )
    division = f"{plural(at.group.wanted.size, 'partition')} ÷ {plural(members, 'consumer')}"
    yield Step("Quota", f"{alike}: {division} = {rule.least:,} each, {more}.")


def _claimed(rule: rules.Claimed, at: ReplayMoment, names: Names) -> Iterator[Step]:
    group, holder = at.group, int(rule.holder[at.partition])
    claimants = np.unique(group.claims.members[group.claims.partitions == at.partition])
    claimants = group.layout.hash_map_order[np.isin(group.layout.hash_map_order, claimants)]
    if not claimants.size:
        yield Step("Claims", "Nobody claims it.")
        return
    generations = group.claims.generations[claimants].tolist()
    pairs = zip(claimants.tolist(), map(_generation, generations), strict=True)
    who = listed([f"{names.member(member)} ({generation})" for member, generation in pairs])
    who = f"{who} {'claims' if claimants.size == 1 else 'claim'} it"
    wins = f"{names.member(holder)}'s claim counts"
    if not rule.is_newest_only:
        end = f"the highest generation wins, so {wins}"
        if holder == UNOWNED:
            end = "between equal generations no claim counts"
        yield Step("Claims", f"{who}; {end if claimants.size > 1 else 'nobody else does'}.")
        return
    newest = int(group.claims.generations.max())
    end = f"here {_generation(newest)}, so the partition counts as free"
    if holder != UNOWNED:
        end = f"so {wins}"
    elif generations.count(newest) > 1:
        end = "and of several, none does"
    yield Step("Claims", f"{who}; only claims of the newest generation count, {end}.")


def _generation(generation: int) -> str:
    return "no generation" if generation == NO_GENERATION else f"generation {generation:,}"


def _present_owner(_: rules.PresentOwner, at: ReplayMoment, names: Names) -> Iterator[Step]:
    owner = int(at.group.present_owners[at.partition])
    text = f"{names.member(owner)} owns it now."
    if owner == UNOWNED:
        text = "Nobody owns it now."
    elif at.group.fit_owners[at.partition] == UNOWNED:
        text = f"{names.member(owner)} no longer subscribes to {names.topic(at.partition)}."
    yield Step("Present owner", text)


def _disputed(_: rules.Disputed, __: ReplayMoment, ___: Names) -> Iterator[Step]:
    text = "Claims of the same generation cancel out, so it is reassigned."
    yield Step("Doubly claimed", text)


def _off_rack(_: rules.OffRack, at: ReplayMoment, names: Names) -> Iterator[Step]:
    where = f"{names.member(at.member)} is in {names.rack(at.member)}"
    replicas = names.replica_racks(at.partition)
    yield Step("Racks", f"{where}, the replicas are in {replicas}: it gives it up.")


def _unsubscribed(_: rules.Unsubscribed, at: ReplayMoment, names: Names) -> Iterator[Step]:
    text = f"{names.member(at.member)} no longer subscribes to {names.topic(at.partition)}."
    yield Step("Given up", text)


def _still_subscribes(_: rules.StillSubscribes, at: ReplayMoment, names: Names) -> Iterator[Step]:
    at_first = "" if at.is_last else " at first"
    yield Step("Kept", f"{names.member(at.member)} still subscribes and keeps it{at_first}.")


def _within_quota(rule: rules.WithinQuota, at: ReplayMoment, names: Names) -> Iterator[Step]:
    found = int(np.argmax(np.equal(rule.listed, at.partition)))
    held, allowed = int(rule.held[found]), int(rule.allowed[found])
    text = f"{names.member(at.member)} holds {held:,} and may keep {allowed:,}"
    if held > allowed:
        by, shares = rule.listing.value, rule.shares
        if shares is not None and allowed > shares.least:
            by = f"one of {rule.larger:,} with a larger share, {by.removeprefix('the first ')}"
        elif shares is not None and shares.extras:
            by = f"since others keep the {plural(shares.extras, 'larger share')}: {by}"
        text += f", {by}; this is the {ordinal(int(rule.place[found]) + 1)}"
    is_kept = at.event.kind is Kind.KEPT
    end = "keeps it" if is_kept else "gives it up"
    yield Step("Kept" if is_kept else "Given up", f"{text}: it {end}.")


def _queue(rule: rules.Queue, at: ReplayMoment, _: Names) -> Iterator[Step]:
    by = "fewest consumers in a rack with a replica, then topic" if rule.is_by_racks else "topic"
    nth = ordinal(at.place + 1)
    yield Step("Assigned", f"{_assigned(at)}, by {by}, then partition: this is the {nth}.")


def _near(rule: rules.Near, at: ReplayMoment, names: Names) -> Iterator[Step]:
    group, taker, least = at.group, names.member(at.member), rule.least
    text = (
        f"No consumer with fewer than {least:,} is in a rack with a replica. In the queue for one "
        f"more, the first in such a rack is {taker}, in {names.rack(at.member)}."
    )
    if at.counts[at.member] < least:
        is_near = np.append(group.layout.replica_racks[at.partition], False)[
            group.layout.member_racks
        ]
        needy = np.flatnonzero(is_near & (at.counts < least))
        text = (
            f"With fewer than {least:,}, and in a rack with a replica: "
            f"{names.each(needy, at.counts[needy])}. In turn, {taker} is next."
        )
    yield Step(RACKS, text)


def _filled(rule: rules.Filled, at: ReplayMoment, names: Names) -> Iterator[Step]:
    needy, needs = np.unique(at.event.members, return_counts=True)
    text = (
        f"Consumers with fewer than {rule.least:,} take one each in turn, by id, "
        f"{names.each(needy, needs, ' to go')}: the {ordinal(at.place + 1)} goes to "
        f"{names.member(at.member)}."
    )
    yield Step("Filled", text)


def _extra(rule: rules.Extra, at: ReplayMoment, names: Names) -> Iterator[Step]:
    text = (
        f"All hold at least {rule.least:,}; the rest goes one each to those that may hold one "
        f"more, first those that had {rule.least:,} already, by id, then as they were filled: "
        f"{names.members(rule.queue)}. The {ordinal(at.place + 1)} is {names.member(at.member)}."
    )
    yield Step("Extra", text)


def _turn_below_share(_: rules.TurnBelowShare, at: ReplayMoment, names: Names) -> Iterator[Step]:
    members = np.unique(at.event.members)
    kept = held_by_each(at.replay.owners_before(at.index), at.group.member_count)[members]
    text = (
        f"{_assigned(at)}, by topic, then partition, in turn to those below their share, by id, "
        f"{names.each(members, kept, ' kept')}: the {ordinal(at.place + 1)} goes to "
        f"{names.member(at.member)}."
    )
    yield Step("Assigned", text)


def _filled_up(rule: rules.FilledUp, at: ReplayMoment, names: Names) -> Iterator[Step]:
    members = list(dict.fromkeys(at.event.members.tolist()))
    lacks = [at.event.members.tolist().count(member) for member in members]
    goes = f"the {ordinal(at.place + 1)} goes to {names.member(at.member)}."
    text = (
        f"{_assigned(at)}, unowned ones first; consumers are filled one after another, "
        f"{names.each(members, lacks)}: {goes}"
    )
    if rule.least is not None:
        text = (
            f"Consumers with fewer than {rule.least:,} are filled one after another, by id, with "
            f"free partitions by number, then topic: {goes}"
        )
    yield Step("Assigned" if rule.least is None else "Phase 2", text)


def _from_full(rule: rules.FromFull, at: ReplayMoment, names: Names) -> Iterator[Step]:
    text = (
        f"No partition is free any more and {names.member(at.member)} has fewer than "
        f"{rule.least:,}: it takes the last partition of "
        f"{names.member(int(at.owners[at.partition]))}, the next full consumer."
    )
    yield Step("Phase 3", text)


def _handed_out(rule: rules.HandedOut, at: ReplayMoment, names: Names) -> Iterator[Step]:
    text = (
        f"All hold at least {rule.least:,}; the rest goes one each to those with fewer than "
        f"{rule.most:,}, by id: the {ordinal(at.place + 1)} is {names.member(at.member)}."
    )
    yield Step("Phase 4", text)


def _one_more(rule: rules.OneMore, at: ReplayMoment, names: Names) -> Iterator[Step]:
    text = (
        f"The first by id get one more, whatever they own now: {names.members(at.event.members)}. "
        "A real broker may choose others, because it iterates a hash map."
    )
    if rule.is_stable:
        text = (
            f"One more goes to {names.members(at.event.members)}: the broker offers it to "
            "consumers in the order of its hash map, and skips those that do not own one more "
            "already, as long as enough others follow."
        )
    yield Step("Extras", text)


def _assigned(at: ReplayMoment) -> str:
    number = at.partitions.size
    return f"{plural(number, 'partition')} {'is' if number == 1 else 'are'} assigned"


WORDS: Final[WordsOf] = MappingProxyType(
    {
        rules.Shares: _shares,
        rules.Claimed: _claimed,
        rules.PresentOwner: _present_owner,
        rules.Disputed: _disputed,
        rules.OffRack: _off_rack,
        rules.Unsubscribed: _unsubscribed,
        rules.StillSubscribes: _still_subscribes,
        rules.WithinQuota: _within_quota,
        rules.Queue: _queue,
        rules.Near: _near,
        rules.Filled: _filled,
        rules.Extra: _extra,
        rules.TurnBelowShare: _turn_below_share,
        rules.FilledUp: _filled_up,
        rules.FromFull: _from_full,
        rules.HandedOut: _handed_out,
        rules.OneMore: _one_more,
    }
)
