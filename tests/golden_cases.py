"""The golden vectors as groups, and what it takes for an answer to equal one."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from assignors.model import Group, Owners
from assignors.numbering import assignment_of
from sources.group_json import decode

_FOLDER: Final = Path(__file__).parent / "golden"
_HELD_TO_THE_RULES_ONLY: Final = (
    "kafka_bug",
    "client_bug",
    "canonical_unstable",
    "expected_error",
    "counts",
)


class Case(NamedTuple):
    """One group, and what the real class answered for it."""

    group: Group
    record: Mapping[str, Any]

    @property
    def has_answer(self) -> bool:
        """Whether the answer is to be matched, and not only to be valid."""
        return not any(self.record.get(key) for key in _HELD_TO_THE_RULES_ONLY)

    def agrees(self, owners: Owners, field: str = "expected") -> bool:
        """Tell whether every member gets the recorded set of partitions; absent means none."""
        found = {m: set(held) for m, held in assignment_of(self.group, owners).items() if held}
        recorded = {m: {(t, p) for t, p in held} for m, held in self.record[field].items() if held}
        return found == recorded


def strategies_with_vectors() -> list[str]:
    """Return the names of the strategies there are vectors for."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in _FOLDER.glob("*.jsonl.gz"))


def cases(strategy: str) -> Iterator[Case]:
    """Yield the vectors of one strategy, each read through the group JSON everybody uses."""
    with gzip.open(_FOLDER / f"{strategy}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield Case(decode(line).group, json.loads(line))
