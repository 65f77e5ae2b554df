"""What is said of a group that is no consumer group, or would be of another one, in plain words."""

from typing import Final, NamedTuple

from evaluation.severity import Severity
from evaluation.wording import listed

_MOST_COUNTS: Final = 6


class SettingAdvice(NamedTuple):
    """A setting that changes something for this group."""

    setting: str
    value: str
    why: str
    """What it brings, and what it costs."""
    is_for_now: bool = False
    """Whether it answers what is the matter, rather than being good practice."""
    gives_standbys: bool = False
    """Whether it gives tasks copies that stand by."""

    @property
    def said(self) -> str:
        """The setting, its value and what it brings, after "Set"."""
        return f"{self.setting} to {self.value}: {self.why}"


class KindWords(NamedTuple):
    """The answer on a group, without markup."""

    severity: Severity
    finding: str
    evidence: str
    action: str
    advice: tuple[SettingAdvice, ...] = ()

    @property
    def as_data(self) -> dict[str, object]:
        """The fields for programs."""
        return {
            "severity": self.severity.name.lower(),
            "finding": self.finding,
            "evidence": self.evidence,
            "action": self.action,
            "advice": [each._asdict() for each in self.advice],
        }


def counted(count: int, noun: str) -> str:
    """Return "an instance", "2 instances".

    >>> counted(1, "instance"), counted(1, "worker"), counted(3, "worker")
    ('an instance', 'a worker', '3 workers')
    """
    article = "an" if noun[0] in "aeiou" else "a"
    return f"{article} {noun}" if count == 1 else f"{count:,} {noun}s"


def more_of(count: int, noun: str) -> str:
    """Return "one more instance", "2 more instances".

    >>> more_of(1, "instance"), more_of(2, "worker")
    ('one more instance', '2 more workers')
    """
    return f"one more {noun}" if count == 1 else f"{count:,} more {noun}s"


def verb(infinitive: str, count: int) -> str:
    """Return a verb that agrees with a number of things.

    >>> verb("warm up", 1), verb("move", 2)
    ('warms up', 'move')
    """
    first, space, rest = infinitive.partition(" ")
    return f"{first}s{space}{rest}" if count == 1 else infinitive


def spread_over(counts: list[int], holder: str, items: str = "") -> str:
    """Return how much each of several holders has, with the noun that it takes.

    >>> spread_over([7, 7], "worker", "tasks"), spread_over([5, 4], "worker", "tasks")
    ('7 on each worker', '5 and 4 tasks')
    """
    noun = holder if _is_of_each(counts) else items
    return f"{spread_said(counts)} {noun}".rstrip()


def spread_said(counts: list[int]) -> str:
    """Return how much each of several has: "7 on each", "5, 5 and 4".

    >>> spread_said([7, 7]), spread_said([5, 4]), spread_said([9]), spread_said([3] * 9 + [2])
    ('7 on each', '5 and 4', '9', '2 to 3 on each')
    """
    if not _is_of_each(counts):
        return listed([f"{each:,}" for each in sorted(counts, reverse=True)], _MOST_COUNTS)
    least, most = min(counts), max(counts)
    return f"{least:,} on each" if least == most else f"{least:,} to {most:,} on each"


def _is_of_each(counts: list[int]) -> bool:
    """Return whether one figure, or a range, is said of several."""
    return len(counts) > 1 and (len(counts) > _MOST_COUNTS or len(set(counts)) == 1)
