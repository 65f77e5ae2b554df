"""The pipeline in a Spark session that is already running.

``python -m benchmarks.fleet_session MASTER OUTPUT ROUNDS INPUT…`` runs two strategies over each
input in turn, so many rounds, and prints as JSON what each run took, by input: a list of seconds,
CPU-seconds and the seconds of the replay alone. Inputs alternate because the machine's own speed
changes by the minute.
"""

import json
import sys
from collections.abc import Sequence
from functools import partial

from benchmarks.fleet_polars import STRATEGIES
from benchmarks.processes import cost_s
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.runs import Run
from pipeline.session import open_session


def main(master: str, target: str, rounds: int, sources: Sequence[str]) -> None:
    """Run, and print."""
    spark, lake = open_session(master), Lake(target)
    lake.prepare()
    runs: dict[str, list[tuple[float, float, float]]] = {source: [] for source in sources}
    for source in [*sources] * rounds:
        progress = Progress()
        cost = cost_s(partial(Run(spark, lake, STRATEGIES, progress).batch, [source]))
        runs[source].append((*cost, progress.seconds["replaying"]))
    spark.stop()
    print("\n" + json.dumps(list(runs.values())))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
