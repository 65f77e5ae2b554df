"""Ask the real libraries about random groups: ``python -m tests.oracles STRATEGY ...``.

Writes the answers to ``tests/golden``. A case whose answer breaks the rules of the protocol,
as KafkaJS's can, is marked ``client_bug``.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any, Final

from tests.oracles.random_groups import random_group
from tests.oracles.toolchains import answers

_GOLDEN: Final = Path(__file__).parent.parent / "golden"
_CASES: Final = 400
_CASES_OF: Final = {"kafkajs-roundrobin": 700}
"""More where many answers break the rules."""


def _vectors(strategy: str) -> list[dict[str, Any]]:
    groups = [random_group(seed) for seed in range(_CASES_OF.get(strategy, _CASES))]
    vectors = []
    for group, expected in zip(groups, answers(strategy, groups), strict=True):
        vector = {**group, "id": f"{strategy}/{group['id']}", "strategy": strategy}
        vector["expected"] = expected
        if _breaks_the_rules(group, expected):
            vector["client_bug"] = True
        vectors.append(vector)
    return vectors


def _breaks_the_rules(group: dict[str, Any], expected: dict[str, Any]) -> bool:
    wanted = {member["id"]: member["topics"] for member in group["members"]}
    if any(topic not in wanted[m] for m, owned in expected.items() for topic, _ in owned):
        return True
    listed = {topic for topics in wanted.values() for topic in topics}
    known = {name: topic["partitions"] for name, topic in group["topics"].items()}
    needed: int = sum(known.get(topic, 0) for topic in listed)
    return needed != sum(map(len, expected.values()))


def main() -> None:
    for strategy in sys.argv[1:]:
        with (
            (_GOLDEN / f"{strategy}.jsonl.gz").open("wb") as file,
            gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed,
        ):
            for vector in _vectors(strategy):
                packed.write((json.dumps(vector, separators=(",", ":")) + "\n").encode())


if __name__ == "__main__":
    main()
