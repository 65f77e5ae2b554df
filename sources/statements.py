"""What a command line states of groups beside their text: an option for each statement."""

import argparse
import re
from collections.abc import MutableMapping
from contextlib import suppress
from functools import partial
from math import isfinite
from typing import Any, Final

from evaluation.answering.given import Statements
from evaluation.judging import JudgeBy
from evaluation.stated import InvalidNumberError, Stated, check, stated_of
from live.arguments import elapsed

_SECONDS: Final = {"s": 1.0, "min": 60.0}
"""Of the units of times; other numbers are stated as they are."""
_THOUSANDS: Final = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d*)?")
_OTHERWISE: Final = {
    "arriving": "measured between snapshots",
    "speed": "measured between snapshots, else a guess",
    "partition_cap": "none",
    "interval_s": "unknown",
    "retention_s": "what the input tells",
    "horizon_min": "5m, or what the leader that logged the group weighed",
}
"""What counts where a figure is not stated."""


def add_statements(parser: argparse.ArgumentParser) -> None:
    """Add the options on what is stated of a group: every figure of ``Statements``, and the rest.

    Bounds are those of the figure, as wherever it is stated.
    """
    for name, each in stated_of(Statements).items():
        is_time = each.unit in _SECONDS
        unit = "such as 30s, 2m, 1h, 7d" if is_time else f"in {each.unit}"
        parser.add_argument(
            _option(name, each),
            dest=name,
            type=partial(_figure, each),
            metavar="TIME" if is_time else "N",
            help=f"{each.about}, {unit} (default: {_OTHERWISE[name]})",
        )
    parser.add_argument(
        "--spread-by-lag",
        dest="is_spread_by_lag",
        action="store_true",
        help="with --arriving: most arrives where most lag is (default: evenly)",
    )
    parser.add_argument(
        "--runs",
        metavar="NAME",
        help="the strategy that the group runs now, from which --outlook switches (default: the "
        "one that the input names, else inferred from the owners); its client must have it",
    )
    parser.add_argument(
        "--restarts",
        choices=("slow", "quick"),
        default="slow",
        help="whether a consumer that restarts is back after the group has rebalanced without it "
        "(default), or before, which no broker-side group waits for; for --outlook and --answer",
    )
    parser.add_argument(
        "--judge-by",
        choices=[by.value for by in JudgeBy],
        help="what strategies by lag balance instead of lag: work (lag plus the "
        "arrivals within the horizon), arrival rate, or partitions; the first two need rates. "
        "Default: what the leader that logged the group weighed, else lag",
    )


def statements_in(given: MutableMapping[str, Any]) -> Statements:
    """Take what is stated out of parsed arguments."""
    judge_by, runs = given.pop("judge_by"), given.pop("runs")
    return Statements(
        **{name: given.pop(name) for name in stated_of(Statements)},
        is_spread_by_lag=given.pop("is_spread_by_lag"),
        is_noticed=given.pop("restarts") != "quick",
        judge_by=JudgeBy(judge_by) if judge_by else None,
        runs=runs or None,
    )


def number_in(text: str) -> float | None:
    """Return a finite number, whose thousands may be apart; None for any other text.

    >>> number_in("1_500"), number_in("1,500"), number_in("2.5"), number_in("1,5"), number_in("nan")
    (1500.0, 1500.0, 2.5, None, None)
    """
    plain = text.strip()
    with suppress(ValueError):
        number = float(plain.replace(",", "") if _THOUSANDS.fullmatch(plain) else plain)
        return number if isfinite(number) else None
    return None


def _option(name: str, each: Stated) -> str:
    return "--" + name.removesuffix(f"_{each.unit}").replace("_", "-")


def _figure(each: Stated, text: str) -> float:
    """Return the value of a figure. Raises ArgumentTypeError."""
    if each.unit in _SECONDS:
        value: float | None = elapsed(text).total_seconds() / _SECONDS[each.unit]
    else:
        value = number_in(text)
    if value is None:
        message = f"expected a number of {each.unit} such as 500, found {text[:80]!r}"
        raise argparse.ArgumentTypeError(message)
    try:
        check(each, value)
    except InvalidNumberError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return value
