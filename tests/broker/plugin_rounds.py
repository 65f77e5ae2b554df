"""A group of the Java assignor's members without a broker, driven round by round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from tests.broker.java_harness import Harness

Held: TypeAlias = dict[str, set[tuple[str, int]]]
"""Member id -> its partitions."""
Loads: TypeAlias = Mapping[str, Sequence[int | None]]
"""Topic -> the load of each partition, None if it cannot be read."""
_MOST_ROUNDS: Final = 12


@dataclass
class Rounds:
    """One group; its members' state lives in the harness."""

    harness: Harness
    topics: dict[str, int]
    members: dict[str, list[str]]
    config: dict[str, str] = field(default_factory=dict)
    owned: Held = field(default_factory=dict)
    promised: Held = field(default_factory=dict)
    has_read: bool = False
    was_missed: bool = False
    """Whether a member never got the assignment of the last round."""
    _is_fresh: bool = True

    def round(self, loads: Loads, leader: str | None = None, **what: Sequence[str]) -> bool:
        """Play one round; return whether a member gave something up, which asks for another.

        ``misses`` names members that fetch their assignment only after others have given something
        up and joined again, so that they never get it; ``garbage`` those whose user data is
        unreadable; ``liars`` those whose user data says that they own and were promised everything,
        in a generation that no client knows of.
        """
        asked: dict[str, Any] = {
            "topics": self.topics,
            "members": self.members,
            "config": {"group.id": "group", **self.config},
            "loads": loads,
            "leader": leader or min(self.members),
            "fresh": self._is_fresh,
            **what,
        }
        self._is_fresh = False
        told = self.harness.ask("round", **asked)
        self.owned, self.promised = _held(told["owned"]), _held(told["promised"])
        self.has_read, self.was_missed = told["read"], told["missed"]
        everything = [place for held in self.owned.values() for place in held]
        assert len(everything) == len(set(everything)), "a partition is owned twice"
        return bool(told["revoked"])

    def settle(self, loads: Loads, leader: str | None = None) -> int:
        """Play rounds until nobody gives anything up; return how many there were."""
        for played in range(1, _MOST_ROUNDS):
            if not self.round(loads, leader):
                assert sum(map(len, self.owned.values())) == sum(self.topics.values())
                return played
        message = f"not settled after {_MOST_ROUNDS} rounds"
        raise AssertionError(message)

    def group(self, loads: Loads) -> Group:
        """Return the group as it is now, with loads in the place of lags."""
        return group_of(
            {name: Topic(size, lags=list(loads[name])) for name, size in self.topics.items()},
            [
                Member(id=id_, topics=topics, owned=sorted(self.owned.get(id_, ())), generation=1)
                for id_, topics in self.members.items()
            ],
        )


def _held(told: Mapping[str, list[tuple[str, int]]]) -> Held:
    return {member: {(t, p) for t, p in held} for member, held in told.items()}
