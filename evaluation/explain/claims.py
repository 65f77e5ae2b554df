"""What the members claim, and whose claim to a partition holds."""

import numpy as np

from assignors.model import NO_GENERATION, UNOWNED, Group, LongArray
from assignors.sticky.claims import Claims
from evaluation.explain.reasoning import Step, Words
from evaluation.wording import listed, plural


def claim_of(group: Group, words: Words, claims: Claims, partition: int) -> Step:
    """Say who claims a partition and, by today's rules, whose claim holds."""
    claimants = _claimants(group, partition)
    said = _with_generations(group, words, claimants)
    holder = int(claims.holder[partition])
    if not claimants.size:
        text = "Nobody claims it."
    elif claimants.size == 1:
        text = f"{said} claims it, and nobody else."
    elif holder == UNOWNED:
        text = f"{said} claim it; between equal generations nobody's claim holds."
    else:
        text = f"{said} claim it; the highest generation counts, {words.member(holder)}'s."
    return Step("Claims", text)


def claim_in_newest(group: Group, words: Words, claims: Claims, partition: int) -> Step:
    """Say the same by the earlier rule: only the newest generation counts."""
    claimants = _claimants(group, partition)
    newest = int(group.generations.max())
    if not claimants.size:
        return Step("Claims", "Nobody claims it.")
    said = _with_generations(group, words, claimants)
    text = f"{said} {'claims' if claimants.size == 1 else 'claim'} it"
    holder = int(claims.holder[partition])
    counts = claimants[group.generations[claimants] == newest]
    rule = "only claims of the newest generation count"
    if holder != UNOWNED:
        whose = "so its claim" if claimants.size == 1 else f"so that of {words.member(holder)}"
        return Step("Claims", f"{text}; {rule}, {whose} holds.")
    if counts.size > 1:
        return Step("Claims", f"{text}; {rule}, and of several, none does.")
    return Step("Claims", f"{text}; {rule}, here {_generation(newest)}, so it counts as free.")


def _claimants(group: Group, partition: int) -> LongArray:
    """Return who claims a partition, in the order Kafka hears them."""
    claims = np.unique(group.member_of_claim[group.claims == partition])
    heard = group.hash_map_order
    return heard[np.isin(heard, claims)].astype(np.int64)


def _with_generations(group: Group, words: Words, members: LongArray) -> str:
    generations = group.generations[members].tolist()
    pairs = zip(members.tolist(), generations, strict=True)
    return listed([f"{words.member(m)} ({_generation(g)})" for m, g in pairs])


def _generation(generation: int) -> str:
    return "no generation" if generation == NO_GENERATION else f"generation {generation:,}"


def spread(words: Words, quota: tuple[int, int], group: Group) -> Step:
    """Say how many partitions each member may hold where all subscribe alike."""
    least, extras = quota
    wanted = int(np.count_nonzero(group.is_wanted))
    more = "with none left over" if not extras else f"and {extras:,} of them one more"
    division = f"{plural(wanted, 'partition')} ÷ {plural(group.member_count, 'consumer')}"
    alike = f"All {group.member_count:,} list the same topics"
    if group.member_count == 1:
        alike = f"{words.member(0)} is alone"
    return Step("Quota", f"{alike}: {division} = {least:,} each, {more}.")
