"""Run the benchmarks: ``python -m benchmarks``, or ``make bench``; ``--quick`` for small sizes.

The report goes to standard output as Markdown and progress to standard error: ``python -m
benchmarks > benchmarks/RESULTS.md`` creates that file.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack

from benchmarks.competitors import Competitor, UnavailableError
from benchmarks.kafka_java import kafka_java
from benchmarks.librdkafka import librdkafka
from benchmarks.measuring import Repeats
from benchmarks.report import head, report
from benchmarks.workloads import FULL, QUICK

_LASTING = Repeats(runs=7, budget_s=2)
_BRIEF = Repeats(runs=3, budget_s=0.5)


def main(arguments: Sequence[str]) -> None:
    """Measure every installed competitor and print the report."""
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, three runs")
    quick = parser.parse_args(arguments).quick
    competitors, absent = list[Competitor](), list[str]()
    if sys.platform == "linux":
        competitors.append(librdkafka)
    else:
        absent.append("Left out: librdkafka, for only Linux tells the CPU time of other processes.")
    with ExitStack() as stack:
        try:
            competitors.append(stack.enter_context(kafka_java()))
        except UnavailableError as reason:
            absent.append(f"Left out: {reason}.")
        print(head(competitors, absent), flush=True)
        sizes, budget = (QUICK, _BRIEF) if quick else (FULL, _LASTING)
        for table in report(sizes, competitors, budget):
            print(table, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
