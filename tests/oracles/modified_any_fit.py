"""Record the authors' own Modified Any Fit: ``python -m tests.oracles.modified_any_fit FOLDER``.

FOLDER is ``src/controller`` of a checkout of landaudiogo/kafka-consumer-group-autoscaler, commit
c58cb5c. Writes ``tests/golden/autoscaling/modified-any-fit.jsonl.gz``. Rates are distinct whole
numbers, because the authors' code breaks ties by the hashes of a set.
"""

import os
import sys
from pathlib import Path
from random import Random
from typing import Any

from tests.oracles.scalers import write_vectors

_NAMES = ("mwf", "mwfp", "mbf", "mbfp")
_CASES = 400
_TOPIC = "autoscaler-test"


def _drawn(seed: int) -> dict[str, Any]:
    draw = Random(seed)  # noqa: S311 -- no secret
    count = draw.choice([1, 2, 5, 12, 32, 60])
    capacity = draw.choice([100_000, 1_000_000])
    most = capacity * draw.choice([1, 3, 12]) // 10
    bins = draw.randint(1, max(count // 2, 1))
    return {
        "rates": draw.sample(range(most), count),
        "owners": [draw.randint(-1, bins) for _ in range(count)],
        "capacity": capacity,
        "name": draw.choice(_NAMES),
    }


def _answer(case: dict[str, Any]) -> list[int]:
    import approximation_algorithms  # type: ignore[import-not-found] # noqa: PLC0415 -- theirs
    import dstructures  # type: ignore[import-not-found] # noqa: PLC0415

    dstructures.ALGO_CAPACITY = case["capacity"]
    partitions = [
        dstructures.TopicPartitionConsumer(_TOPIC, number, speed=rate)
        for number, rate in enumerate(case["rates"])
    ]
    consumers: dict[int, Any] = {}
    for partition, owner in zip(partitions, case["owners"], strict=True):
        if owner >= 0:
            consumers.setdefault(owner, dstructures.DataConsumer(owner)).add_partition(partition)
    homeless = [p for p, owner in zip(partitions, case["owners"], strict=True) if owner < 0]
    algorithm = approximation_algorithms.AlgorithmFactory.get_algorithm(case["name"])
    algorithm.treat_input(dstructures.ConsumerList(list(consumers.values())), homeless)
    answer = [-1] * len(partitions)
    for consumer in algorithm.run():
        for partition in [] if consumer is None else consumer.partitions():
            answer[partition.partition] = consumer.consumer_id
    return answer


def main() -> None:
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    os.chdir(folder)
    cases = [_drawn(seed) for seed in range(_CASES)]
    write_vectors("modified-any-fit", ({**case, "expected": _answer(case)} for case in cases))


if __name__ == "__main__":
    main()
