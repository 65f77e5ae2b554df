"""The pipeline in a session that runs already, as a long-lived one does: seconds of each run.

``python -m benchmarks.fleet_session INPUT OUTPUT RUNS STRATEGY…`` prints them as JSON.
"""

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence

from pipeline.jobs.run import add_arguments
from pipeline.progress import Progress
from pipeline.publishing import staged
from pipeline.running import Run
from pipeline.session import open_session


def main(source: str, target: str, runs: int, strategies: Sequence[str]) -> None:
    """Run so many times, one after the other; nothing is packed before a run starts."""
    parser = ArgumentParser()
    add_arguments(parser)
    arguments = ["--input", source, "--output", target, "--strategies", *strategies]
    options = parser.parse_args(arguments)
    spark = open_session("local[2]")
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        with staged(target) as staging:
            Run(spark, staging, Progress(1), options).run()
        seconds.append(time.perf_counter() - started)
    spark.stop()
    print("\n" + json.dumps(seconds))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
