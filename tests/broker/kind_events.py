"""What rebalances of groups that are no consumer groups brought, beside their forecasts."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from evaluation.kinds.forecast import Held

PATIENCE_S: Final = 240
_PAUSE_S: Final = 0.4
_State = TypeVar("_State")


class Seen(NamedTuple):
    """One rebalance."""

    kind: str
    event: str
    group: str
    is_as_stated: bool
    """Whether the forecast from before the event held, as far as it claimed to know."""
    is_right: bool
    """Whether every instance, worker or consumer then had one of the answers that are left once the
    ids of newcomers are known."""
    is_right_by_thread: bool
    """Whether every thread of an instance had, too; the same where there are none."""
    is_sole: bool
    """Whether there was but one answer."""
    detail: str = ""
    """What was expected, and what came, where they differ."""


class NotSettledError(AssertionError):
    """A group did not come to rest in time."""


def settled(read: Callable[[], _State | None], what: str) -> _State:
    """Return a reading once it is the same twice; None is not at rest."""
    until = time.monotonic() + PATIENCE_S
    last: _State | None = None
    while time.monotonic() < until:
        found = read()
        if found is not None and found == last:
            return found
        last = found
        time.sleep(_PAUSE_S)
    message = f"{what}: the group did not come to rest; it was {last}"
    raise NotSettledError(message)


def by_home(
    homes: Mapping[str, str], members: Mapping[str, Held], roles: Sequence[str]
) -> dict[str, tuple[frozenset[str], ...]]:
    """Return what the members of each instance have together, by role."""
    found: dict[str, list[set[str]]] = {}
    for name, held in members.items():
        sets = found.setdefault(homes[name], [set() for _ in roles])
        for place, role in enumerate(roles):
            sets[place] |= set(held.get(role, ()))
    return {home: tuple(map(frozenset, sets)) for home, sets in found.items()}


def counts_of(members: Mapping[str, Held]) -> list[tuple[int, ...]]:
    """Return how much each member has of every role, sorted."""
    return sorted(tuple(len(items) for items in held.values()) for held in members.values())
