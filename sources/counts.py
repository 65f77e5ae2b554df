"""A new group from counts: topics with their partitions, and a number of consumers."""

import re
from collections.abc import Mapping
from typing import Final

from assignors.numbering import Member, Topic
from evaluation.reading import Reading
from sources.budget import Budget
from sources.errors import SourceError

_PART: Final = re.compile(r"(?:(?P<name>[^\s,;:=]+)[\s:=]+)?(?P<count>[0-9]{1,12})")
_FORM: Final = "write partitions as in 24, 48, 12 or orders 24, payments 48"


def read_counts(name: str, topics: str, consumers: int) -> tuple[Reading, ...]:
    """Return a group in which every consumer subscribes to every topic and owns nothing.

    ``topics`` lists partitions, each after the name of its topic if it has one. Raises
    SourceError.

    >>> read_counts("orders", "24, audit 12", 3)[0].group.topics
    ('audit', 'topic-1')
    """
    budget = Budget()
    sizes = _sizes(topics)
    budget.take_partitions(sizes)
    members = [Member(f"consumer-{k + 1}", list(sizes)) for k in range(consumers)]
    group = budget.group_of({t: Topic(n) for t, n in sizes.items()}, members, id=name.strip())
    return (Reading(group=group, format="counts", rows=len(sizes)),)


def _sizes(text: str) -> Mapping[str, int]:
    sizes: dict[str, int] = {}
    for number, part in enumerate(re.split(r"[,;\n]", text) if text.strip() else []):
        found = _PART.fullmatch(part.strip())
        if found is None:
            message = f"topic {number + 1} is {part.strip()!r}; {_FORM}"
            raise SourceError(message)
        topic = found["name"] or f"topic-{number + 1}"
        if topic in sizes:
            message = f"the topic {topic!r} is listed twice; name each topic once"
            raise SourceError(message)
        sizes[topic] = int(found["count"])
    return sizes
