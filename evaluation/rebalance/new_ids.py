"""The ids under which consumers come back from a restart, and the order that is known of them."""

import random
import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final
from uuid import UUID

from assignors.java import strings
from assignors.model import Group
from assignors.strategy import Protocol, Strategy
from evaluation import wording

_RANDOM_PART: Final = re.compile(rf"-{wording.UUID}$")
_DEFAULT_CLIENT: Final = re.compile(r"consumer-.*-\d+")
"""Java numbers the consumers of a process; which consumer gets which number is chance."""


class NewIds:
    """Draws new ids: the part of a member's that the client chooses stays, the rest is random."""

    def __init__(self, group: Group, chance: random.Random, order: Sequence[int]) -> None:
        """Start with the members' ids; ``order`` is that of the new ones, if not left to chance."""
        self._chance, self._rank = chance, dict(zip(order, range(len(order)), strict=True))
        own, numbered = _own_parts(group.members, group.layout.instance_ids)
        self._own = list(own)
        numbers = [self._own[m] for m in numbered]
        chance.shuffle(numbers)
        for m, name in zip(numbered, numbers, strict=True):
            self._own[m] = name

    def of_member(self, member: int, strategy: Strategy) -> str:
        """Return a new id of a consumer that runs this strategy."""
        if self._rank:
            return f"{self._rank[member]:08x}"
        if strategy.protocol is Protocol.BROKER:
            return self._short()
        return f"{self._own[member]}-{self._uuid()}"

    def of_topics(self, group: Group) -> tuple[str, ...]:
        """Return an id of each topic (T,), new where unknown."""
        known = group.layout.topic_ids or (None,) * len(group.topics)
        return tuple(name or self._short() for name in known)

    def _uuid(self) -> UUID:
        return UUID(int=self._chance.getrandbits(128), version=4)

    def _short(self) -> str:
        """Return an id as Kafka's own ``Uuid`` prints it."""
        return urlsafe_b64encode(self._uuid().bytes).decode().rstrip("=")


def id_blocks(group: Group) -> list[list[int]] | None:
    """Return the members in the order of their next ids, in blocks whose order is chance.

    None if even the blocks are in no certain order: one client's name begins with another's.
    """
    own, numbered = _own_parts(group.members, group.layout.instance_ids)
    shared = {own[m] for m in numbered}
    blocks: dict[str, list[int]] = {}
    for m, name in enumerate(own):
        blocks.setdefault(min(shared) if name in shared else name, []).append(m)
    names = [f"{name}-" for name in blocks]
    order = strings.string_order(names)
    if any(names[b].startswith(names[a]) for a, b in pairwise(order)):
        return None
    if numbered and len(blocks) > 1:  # their numbers may stand on both sides of another name
        return None
    listed = list(blocks.values())
    return [listed[k] for k in order]


@lru_cache(maxsize=8)  # the same for every draw
def _own_parts(
    members: tuple[str, ...], instance_ids: tuple[str | None, ...]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the part of each id that the client chooses, and whose are numbered by chance."""
    own = tuple(
        instance or _RANDOM_PART.sub("", name)
        for name, instance in zip(members, instance_ids, strict=True)
    )
    return own, tuple(m for m, name in enumerate(own) if _DEFAULT_CLIENT.fullmatch(name))
