"""Memory limits of one input: a few characters can ask for any number of partitions.

The limits are far above the size of clusters and far below the memory of a machine. They apply to
one input with all its groups, and are checked before memory is allocated.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Final

from assignors.model import Group, InvalidGroupError
from assignors.numbering import Member, Topic, group_of
from assignors.suggestions import nearest
from sources.errors import SourceError


@dataclass(frozen=True)
class Limits:
    """The most that one input may hold of each kind."""

    groups: int = 20_000
    partitions: int = 1_000_000
    members: int = 100_000
    subscriptions: int = 10_000_000
    """Subscribed topics, summed over all members."""
    classes: int = 100_000_000
    """Distinct subscriptions times topics: the size of the subscription table."""
    racks: int = 100_000_000
    """Racks times partitions: the size of the table of replicas."""
    name: int = 32_767
    """Characters of one name: as many as Kafka's protocol has room for."""
    names: int = 300_000_000
    """Characters of names shown with partitions: each one's topic, and the longest consumer's."""
    offsets: int = 8_000_000
    """Partitions times snapshots of groups with a history."""
    characters: int = 1_000_000
    """Characters of a line of a table; JSON may be on a line of any length."""
    bytes: int = 100_000_000
    """Uncompressed size of compressed input."""
    rows: int = 2_000_000
    """Rows of a CSV table."""
    lines: int = 2_000_000
    """Lines of any other text but JSON."""
    text: int = 200_000_000
    """Bytes of an upload, or of the command line's input except for JSON Lines."""

    def check(self, what: str, count: int, where: str = "") -> None:
        """Raise SourceError if ``count`` exceeds the limit named ``what``.

        ``where`` opens the sentence: a file, a field, a topic.
        """
        most = getattr(self, what)
        if count > most:
            start = f"{where}: " if where else ""
            message = (
                f"{start}{count:,} {_WORDS.get(what, what)} are more than the {most:,} that can "
                f"be read at once; assign.py --limit {what}=N raises the limit"
            )
            raise SourceError(message)


_MOST_DIGITS: Final = 18
_WORDS: Final = {
    "members": "consumers",
    "subscriptions": "topics subscribed to",
    "classes": "pairs of subscription and topic",
    "racks": "pairs of rack and partition",
    "name": "characters in one name",
    "names": "characters of names, counted for each partition,",
    "offsets": "pairs of partition and snapshot",
    "characters": "characters in one line",
    "bytes": "unpacked bytes",
    "text": "bytes of text",
}

LIMITS: Final = Limits()
"""Limits of text, files and edits."""
LINK_LIMITS: Final = Limits(partitions=100_000, racks=10_000_000, names=10_000_000, bytes=1_000_000)
"""Limits of links, which anyone can craft and which open without confirmation."""


class Budget:
    """The part of its limits that an input has used so far, over all its groups."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits: Final = limits
        self._taken: Final[dict[str, int]] = {}

    def take(self, what: str, count: int, where: str = "") -> None:
        """Add to the used amount. Raises SourceError if the total exceeds the limit."""
        total = self._taken.get(what, 0) + count
        self.limits.check(what, total, where)
        self._taken[what] = total

    def take_partitions(self, sizes: Mapping[str, int]) -> None:
        """Add the partitions of these topics. Raises SourceError that names the largest one."""
        largest = max(sizes, key=sizes.__getitem__, default="")
        where = f"topics (the largest is {largest!r} with {sizes[largest]:,})" if sizes else ""
        self.take("partitions", sum(sizes.values()), where)

    def group_of(
        self,
        topics: Mapping[str, Topic],
        members: Sequence[Member],
        *,
        id: str = "",  # noqa: A002 -- the field is named so in every Kafka tool
        auto_offset_reset: str = "latest",
    ) -> Group:
        """Return ``numbering.group_of`` these records, after counting them against the limits.

        Callers that build per-partition lists count the partitions first. Raises SourceError.
        """
        self.take("members", len(members))
        self.take("subscriptions", sum(len(member.topics) for member in members))
        partitions = sum(topic.partitions for topic in topics.values())
        longest = max((len(member.id) for member in members), default=0)
        of_members = chain.from_iterable((m.instance_id, m.rack, m.client_id) for m in members)
        self.limits.check("name", max(map(len, filter(None, of_members)), default=0))
        self.limits.check("name", max(longest, len(id)))
        of_topics = sum(len(name) * topic.partitions for name, topic in topics.items())
        self.take("names", of_topics + longest * partitions)
        names = {*topics, *(name for member in members for name in member.topics)}
        self.limits.check("name", max(map(len, names), default=0))
        racks = {member.rack for member in members if member.rack}
        racks.update(rack for topic in topics.values() for row in topic.racks or () for rack in row)
        self.take("racks", partitions * len(racks))
        self.take("classes", len({tuple(member.topics) for member in members}) * len(names))
        try:
            return group_of(topics, members, id=id, auto_offset_reset=auto_offset_reset)
        except InvalidGroupError as error:
            raise SourceError(str(error)) from error


def limits_of(settings: Iterable[str]) -> Limits:
    """Return the limits changed by ``NAME=NUMBER`` texts. Raises SourceError for any other text.

    >>> limits_of(["partitions=5"]).partitions
    5
    """
    names = [field.name for field in fields(Limits)]
    changed: dict[str, int] = {}
    for setting in settings:
        name, _, number = setting.partition("=")
        if name not in names:
            message = f"there is no limit {name!r}; {nearest(name, names)}"
            raise SourceError(message)
        if not (number.isascii() and number.isdecimal()) or len(number) > _MOST_DIGITS:
            message = f"--limit {name}: expected a whole number, found {number!r}"
            raise SourceError(message)
        changed[name] = int(number)
    return replace(LIMITS, **changed)
