"""The one command: ``python -m benchmarks``, or ``make bench``; ``--quick`` for a fast look.

The report goes to standard output as Markdown, progress to standard error:
``python -m benchmarks > benchmarks/RESULTS.md`` is how that file is made.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack

from benchmarks import kafka_java, kafka_python, librdkafka
from benchmarks.measuring import Budget, Competitor, UnavailableError
from benchmarks.plan import FULL, QUICK
from benchmarks.report import head, report
from benchmarks.workloads import JAVA, KAFKA_PYTHON, LIBRDKAFKA

_LASTING = Budget(runs=7, budget_ms=2_000)
_BRIEF = Budget(runs=3, budget_ms=500)


def main(arguments: Sequence[str]) -> None:
    """Measure every competitor that is installed, and print the report."""
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, three runs")
    quick = parser.parse_args(arguments).quick
    competitors: list[Competitor] = []
    absent = []
    with ExitStack() as stack:
        for name, offered in (
            (KAFKA_PYTHON, kafka_python.competitor),
            (LIBRDKAFKA, librdkafka.competitor),
            (JAVA, kafka_java.competitor),
        ):
            try:
                competitors.append(stack.enter_context(offered()))
            except UnavailableError as reason:
                absent.append(f"{name} is left out: {reason}.")
        print(head(competitors, absent), flush=True)
        sizes, budget = (QUICK, _BRIEF) if quick else (FULL, _LASTING)
        for table in report(sizes, competitors, budget):
            print(table, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
