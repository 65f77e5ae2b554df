"""Record the results of the real libraries: ``python -m tests.oracles STRATEGY ...``.

Writes results for random groups to ``tests/golden``. A case whose result violates the protocol's
rules, as KafkaJS's can, or that has none, is marked ``client_bug``; one that depends on Python's
hash seed, ``canonical_unstable``. Cases named ``fuzz``, from other sources, are kept.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any, Final

from tests.golden_cases import cases
from tests.oracles.random_groups import random_group
from tests.oracles.toolchains import PYTHON, answers, seen_answers

_GOLDEN: Final = Path(__file__).parent.parent / "golden"
_CASES: Final = 400
_FRANZ_GO: Final = ("franz-go-sticky", "franz-go-cooperative-sticky")
_CASES_OF: Final = dict.fromkeys(("kafkajs-roundrobin", "kafka-python-roundrobin", *_FRANZ_GO), 700)
"""More where many results break the rules, or are predicted for equal subscriptions only."""
_ALSO: Final = {"librdkafka-cooperative-sticky": (644, 737, 857, 1522, 1546, 2186)}
"""Seeds of rare cases: a partition moves away from a member that never owned it."""
COUNTS_ONLY: Final = ("sarama-sticky", "sarama-cooperative-sticky", *_FRANZ_GO)
_UNSOUND: Final = {"librdkafka-cooperative-sticky": {100, 284}}
"""Cases in which the library reads a list entry that it has just removed."""


def _counts_seen(strategy: str) -> list[dict[str, Any]]:
    """Return the vectors of a library whose results vary: all as ``seen``, or their common part.

    The common part is each member's ``counts``, and the partitions that it ``always`` has.
    """
    groups = [random_group(seed) for seed in range(_CASES_OF.get(strategy, _CASES))]
    vectors = []
    for group, seen in zip(groups, seen_answers(strategy, groups), strict=True):
        vector = {**group, "id": f"{strategy}/{group['id']}", "strategy": strategy}
        counts = {tuple(sorted((m, len(own)) for m, own in each.items())) for each in seen}
        vectors.append({**vector, "counts": [dict(row) for row in sorted(counts)]})
        if strategy in _FRANZ_GO:
            vectors[-1]["seen"] = sorted(seen, key=json.dumps)
        else:
            vectors[-1]["always"] = {
                member: [pair for pair in own if all(pair in each.get(member, ()) for each in seen)]
                for member, own in seen[0].items()
            }
        is_bad = any(
            _breaks_the_rules(group, each, strategy == "franz-go-cooperative-sticky")
            for each in seen
        )
        if is_bad:
            vectors[-1]["client_bug"] = True
    return vectors


def _vectors(strategy: str) -> list[dict[str, Any]]:
    drawn = [*range(_CASES_OF.get(strategy, _CASES)), *_ALSO.get(strategy, ())]
    groups = [random_group(seed) for seed in drawn]
    seeds = range(1, 17 if strategy.startswith(PYTHON) else 2)
    hashed = [answers(strategy, groups, PYTHONHASHSEED=str(seed)) for seed in seeds]
    vectors = []
    for seed, group, *found in zip(drawn, groups, *hashed, strict=True):
        vector = {**group, "id": f"{strategy}/{group['id']}", "strategy": strategy}
        vector["expected"] = found[0] or {}
        if found[0] is None or _breaks_the_rules(group, found[0], "cooperative" in strategy):
            vector["client_bug"] = True
        if any(each != found[0] for each in found) or seed in _UNSOUND.get(strategy, ()):
            vector["canonical_unstable"] = True
        vectors.append(vector)
    return vectors


def _breaks_the_rules(
    group: dict[str, Any], expected: dict[str, Any], is_cooperative: bool
) -> bool:
    wanted = {member["id"]: member["topics"] for member in group["members"]}
    if any(topic not in wanted[m] for m, owned in expected.items() for topic, _ in owned):
        return True
    if is_cooperative:
        return False
    listed = {topic for topics in wanted.values() for topic in topics}
    known = {name: topic["partitions"] for name, topic in group["topics"].items()}
    needed: int = sum(known.get(topic, 0) for topic in listed)
    return needed != sum(map(len, expected.values()))


def main() -> None:
    for strategy in sys.argv[1:]:
        path = _GOLDEN / f"{strategy}.jsonl.gz"
        recorded = cases(strategy) if path.exists() else ()
        kept = [case.record for case in recorded if "/fuzz-" in case.record["id"]]
        with (
            path.open("wb") as file,
            gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed,
        ):
            counts_only = strategy in COUNTS_ONLY
            found = _counts_seen(strategy) if counts_only else _vectors(strategy)
            for vector in [*found, *kept]:
                packed.write((json.dumps(vector, separators=(",", ":")) + "\n").encode())


if __name__ == "__main__":
    main()
