"""What the members claim, and whose claim to a partition holds."""

import numpy as np

from assignors.model import NO_GENERATION, UNOWNED, Group, LongArray
from assignors.quotas import Quota
from assignors.sticky.claims import Claims
from evaluation.explain.reasoning import Step, Words
from evaluation.wording import listed, plural


def claim_of(group: Group, words: Words, claims: Claims, partition: int) -> Step:
    """Say who claims a partition and, by today's rules, whose claim holds."""
    claimants = _claimants(group, partition)
    names = _with_generations(group, words, claimants)
    holder = claims.holder[partition]
    if not claimants.size:
        text = "Nobody claims it."
    elif claimants.size == 1:
        text = f"{names} claims it, and nobody else."
    elif holder == UNOWNED:
        text = f"{names} claim it; between equal generations nobody's claim holds."
    else:
        text = f"{names} claim it; the highest generation counts, {words.member(holder)}'s."
    return Step("Claims", text)


def claim_in_newest(group: Group, words: Words, claims: Claims, partition: int) -> Step:
    """Say the same by the earlier rule: only the newest generation counts."""
    claimants = _claimants(group, partition)
    newest = int(group.generations.max())
    if not claimants.size:
        return Step("Claims", "Nobody claims it.")
    is_one, holder = claimants.size == 1, claims.holder[partition]
    if holder != UNOWNED:
        end = f"so {'its claim' if is_one else f'that of {words.member(holder)}'} holds"
    elif np.count_nonzero(group.generations[claimants] == newest) > 1:
        end = "and of several, none does"
    else:
        end = f"here {_generation(newest)}, so it counts as free"
    claim = f"{_with_generations(group, words, claimants)} {'claims' if is_one else 'claim'} it"
    rule = "only claims of the newest generation count"
    return Step("Claims", f"{claim}; {rule}, {end}.")


def _claimants(group: Group, partition: int) -> LongArray:
    """Return the members that claim a partition, in the order in which Kafka visits them."""
    claims = np.unique(group.member_of_claim[group.claims == partition])
    heard = group.hash_map_order
    return heard[np.isin(heard, claims)].astype(np.int64)


def _with_generations(group: Group, words: Words, members: LongArray) -> str:
    pairs = zip(members, group.generations[members], strict=True)
    return listed([f"{words.member(member)} ({_generation(g)})" for member, g in pairs])


def _generation(generation: int) -> str:
    return "no generation" if generation == NO_GENERATION else f"generation {generation:,}"


def even_quota(group: Group, words: Words, quota: Quota) -> Step:
    """Say how many partitions each member may hold where all subscribe alike."""
    more = f"and {quota.extras:,} of them one more" if quota.extras else "with none left over"
    partitions = plural(group.wanted.size, "partition")
    division = f"{partitions} ÷ {plural(group.member_count, 'consumer')}"
    alike = f"All {group.member_count:,} list the same topics"
    if group.member_count == 1:
        alike = f"{words.member(0)} is alone"
    return Step("Quota", f"{alike}: {division} = {quota.least:,} each, {more}.")
