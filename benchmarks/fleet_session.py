"""The pipeline in a session that runs already, as a long-lived one does.

``python -m benchmarks.fleet_session OUTPUT ROUNDS INPUT…`` runs two strategies over each input
in turn, so many rounds, and prints as JSON what each run took, by input: a list of seconds and
CPU-seconds. Inputs alternate because the machine's own speed changes by the minute.
"""

import json
import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence

from benchmarks.fleet_polars import STRATEGIES
from benchmarks.processes import spent_by
from pipeline.jobs.run import add_arguments
from pipeline.progress import Progress
from pipeline.publishing import staged
from pipeline.running import Run
from pipeline.session import open_session


def main(target: str, rounds: int, sources: Sequence[str]) -> None:
    """Run, and print; nothing is packed before a run starts."""
    parser = ArgumentParser()
    add_arguments(parser)
    spark = open_session("local[2]")
    found: dict[str, list[tuple[float, float]]] = {source: [] for source in sources}
    for source in [*sources] * rounds:
        arguments = ["--input", source, "--output", target, "--strategies", *STRATEGIES]
        options = parser.parse_args(arguments)
        started, spent_s = time.perf_counter(), spent_by(os.getpid())
        with staged(target) as staging:
            Run(spark, staging, Progress(1), options).run()
        taken = time.perf_counter() - started, spent_by(os.getpid()) - spent_s
        found[source].append(taken)
    spark.stop()
    print("\n" + json.dumps(list(found.values())))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
