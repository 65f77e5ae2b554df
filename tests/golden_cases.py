"""The golden vectors as groups, and the comparison of results with them."""

import gzip
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from assignors.model import Group, Owners
from assignors.naming import assignment_of
from sources.group_json import decode

_FOLDER: Final = Path(__file__).parent / "golden"
_HELD_TO_THE_RULES_ONLY: Final = (
    "kafka_bug",
    "client_bug",
    "canonical_unstable",
    "expected_error",
    "counts",
)
_Owned: TypeAlias = dict[str, set[tuple[str, int]]]


class Case(NamedTuple):
    """One group with the real class's result."""

    group: Group
    record: Mapping[str, Any]

    @property
    def has_answer(self) -> bool:
        """Whether results must match, rather than only be valid."""
        return has_answer(self.record)

    @property
    def answers(self) -> list[_Owned]:
        """The acceptable results: one, or several of a library whose results vary."""
        matched = [self.record["expected"]] if self.has_answer else self.record.get("seen", [])
        return [_recorded(answer) for answer in matched]

    def owned(self, owners: Owners) -> _Owned:
        """Return each member's partitions in the form of ``answers``."""
        return _recorded(assignment_of(self.group, owners))

    def agrees(self, owners: Owners, field: str = "expected") -> bool:
        """Return whether every member gets the recorded set of partitions; absent ones get none."""
        return self.owned(owners) == _recorded(self.record[field])


def _recorded(answer: Mapping[str, Any]) -> _Owned:
    return {m: {(t, p) for t, p in held} for m, held in answer.items() if held}


def strategies_with_vectors() -> list[str]:
    """Return the names of the strategies with vectors."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in _FOLDER.glob("*.jsonl.gz"))


def cases(strategy: str, every: int = 1) -> Iterator[Case]:
    """Yield one in so many vectors of a strategy, each parsed from group JSON."""
    for line in islice(_lines(strategy), 0, None, every):
        yield Case(decode(line).group, json.loads(line))


def records(strategy: str) -> Iterator[Mapping[str, Any]]:
    """Yield the vectors of one strategy as they are recorded."""
    return map(json.loads, _lines(strategy))


def has_answer(record: Mapping[str, Any]) -> bool:
    """Return whether results must match the record, rather than only be valid."""
    return not any(record.get(key) for key in _HELD_TO_THE_RULES_ONLY)


def _lines(strategy: str) -> Iterator[str]:
    with gzip.open(_FOLDER / f"{strategy}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from lines
