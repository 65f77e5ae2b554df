"""Record results of KEDA's Kafka scaler on random cases: ``python -m tests.oracles.scalers``.

Writes ``tests/golden/autoscaling/keda.jsonl.gz``.
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.oracles.toolchains import keda_answers

_GOLDEN: Final = Path(__file__).parent.parent / "golden" / "autoscaling"
_CASES: Final = 1000
_FLAGS: Final = (
    "allowIdleConsumers",
    "excludePersistentLag",
    "scaleToZeroOnInvalidOffset",
    "limitToPartitionsWithLag",
    "ensureEvenDistributionOfPartitions",
)


def random_case(seed: int) -> dict[str, Any]:
    """Return one case in the harness's format, determined by the seed."""
    draw = Random(seed)  # noqa: S311 -- no secret
    options = {
        "lagThreshold": str(draw.choice([0, 1, 5, 10, 10, 100, 977])),
        "activationLagThreshold": str(draw.choice([0, 0, 0, 5, 300])),
        "offsetResetPolicy": draw.choice(["latest", "earliest"]),
        **{flag: "true" for flag in _FLAGS if draw.random() < 0.25},
    }
    topics = ["t"]
    if draw.random() < 0.8:
        options["topic"] = "t"
        if draw.random() < 0.3:
            options["partitionLimitation"] = draw.choice(["0", "1-3", "0, 2,5-9", "7", "0-100"])
    elif draw.random() < 0.5:
        topics.append("u")
    first = {topic: _partitions(draw) for topic in topics}
    polls = [first]
    for _ in range(draw.randint(0, 2)):
        polls.append({t: [_later(draw, *known) for known in polls[-1][t]] for t in topics})
    return {"options": options, "polls": polls}


def _partitions(draw: Random) -> list[list[int]]:
    most = draw.choice([0, 3, 40, 2000])
    found = []
    for _ in range(draw.choice([1, 2, 3, 7, 12, 30])):
        start, lag = draw.randint(0, 50), draw.randint(0, most)
        committed = start + draw.randint(0, 500)
        end = committed + lag - (draw.randint(1, 3) if draw.random() < 0.03 else 0)
        found.append([-1 if draw.random() < 0.15 else committed, max(end, 0), start])
    return found


def _later(draw: Random, committed: int, end: int, start: int) -> list[int]:
    later = end + draw.randint(0, 60)
    if committed >= 0 and draw.random() < 0.6:
        committed = min(committed + draw.randint(0, 80), later)
    return [committed, later, start]


def write_vectors(name: str, vectors: Iterable[dict[str, Any]]) -> None:
    """Write golden vectors, one JSON object per line."""
    _GOLDEN.mkdir(exist_ok=True)
    with (
        (_GOLDEN / f"{name}.jsonl.gz").open("wb") as file,
        gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed,
    ):
        for vector in vectors:
            packed.write((json.dumps(vector, separators=(",", ":")) + "\n").encode())


def vectors(name: str) -> Iterator[dict[str, Any]]:
    """Yield the golden vectors of this name."""
    with gzip.open(_GOLDEN / f"{name}.jsonl.gz", "rt") as lines:
        yield from map(json.loads, lines)


def main() -> None:
    cases = [random_case(seed) for seed in range(_CASES)]
    answers = zip(cases, keda_answers(cases), strict=True)
    write_vectors("keda", ({**case, "expected": expected} for case, expected in answers))


if __name__ == "__main__":
    main()
