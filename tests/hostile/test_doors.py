"""Every entry point turns broken input into readings or one sentence, never another error.

2,000 inputs per entry point by default, 1,000,000 in ``make test-deep``; a failure names the seed
of its input.
"""

import io
import json
import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final

import pytest

import assign
from assignors.model import Group
from assignors.registry import STRATEGIES
from assignors.rules import check
from evaluation import metrics
from evaluation.reading import Reading
from evaluation.stated import InvalidNumberError
from sources import group_json, histories, links
from sources.budget import Budget, Limits
from sources.collected import read_collected
from sources.csv.reader import read_tables
from sources.errors import SourceError, UnexpectedError
from sources.live import config_of
from sources.patterns import whole_name
from sources.scaled_object import read_scaled_object
from sources.text import read_text
from tests.hostile.mutations import DOORS

EVERY_DAY: Final = 1_000
IN_CI: Final = 2_000
DEEP: Final = 1_000_000
_PART: Final = 50_000
_LIMITS: Final = Limits(groups=50, partitions=2_000, members=500, subscriptions=5_000)
_FEW: Final = 60


def _text(data: bytes) -> Iterable[Reading]:
    return read_text(data.decode("utf-8", "surrogateescape"), _LIMITS)


def _group(data: bytes) -> Iterable[Reading]:
    return [group_json.decode(data, Budget(_LIMITS))]


def _lines(data: bytes) -> Iterable[Reading]:
    out, err = io.BytesIO(), io.StringIO()
    limits = [f"{name}={getattr(_LIMITS, name)}" for name in ("groups", "partitions", "members")]
    arguments = ["--convert", *(f"--limit={limit}" for limit in limits)]
    status = assign.main(arguments, io.BytesIO(data).readlines(), out, err)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    said = err.getvalue() + "".join(answer.get("error", "") for answer in answers)
    assert "please report it" not in said, said
    assert (status == 2) == bool(err.getvalue())
    assert (status == 1) == any("error" in answer for answer in answers)
    return []


def _tables(data: bytes) -> Iterable[Reading]:
    return [read_tables({"a.csv": data}, _LIMITS)]


def _collected(data: bytes) -> Iterable[Reading]:
    return read_collected({"a.parquet": data}, _LIMITS)


def _link(data: bytes) -> Iterable[Reading]:
    return [links.decode(data.decode("utf-8", "surrogateescape"))]


def _events(data: bytes) -> Iterable[Reading]:
    histories.decode(data.decode("utf-8", "surrogateescape"))
    return []


def _pattern(data: bytes) -> Iterable[Reading]:
    whole_name(data.decode("utf-8", "surrogateescape"))("orders-\ud800-eu")
    return []


def _scaled_object(data: bytes) -> Iterable[Reading]:
    with suppress(InvalidNumberError):
        read_scaled_object(data.decode("utf-8", "replace"), Group.fresh({"payments": 4}, ["a"]))
    return []


def _properties(data: bytes) -> Iterable[Reading]:
    config_of(data.decode("utf-8", "surrogateescape"), "b1:9092")
    return []


READERS: Final[Mapping[str, Callable[[bytes], Iterable[Reading]]]] = {
    "text": _text,
    "group JSON": _group,
    "JSON Lines": _lines,
    "CSV": _tables,
    "zip files": _tables,
    "collector's files": _collected,
    "links": _link,
    "histories": _text,
    "events": _events,
    "patterns": _pattern,
    "ScaledObjects": _scaled_object,
    "client properties": _properties,
}


def _goes_through(door: str, number: int) -> None:
    data = DOORS[door](random.Random(number))  # noqa: S311 -- the same input for the same number
    try:
        readings = READERS[door](data)
    except UnexpectedError:
        raise
    except SourceError as error:
        assert "\n" not in str(error)  # noqa: PT017 -- either outcome is right, both are checked
        str(error).encode()
        return
    for reading in readings:
        group_json.encode(reading.group)
        "".join([*reading.notes, *(text for _, text in reading.ignored)]).encode()
        if reading.group.partition_count + reading.group.member_count < _FEW:
            strategy = list(STRATEGIES.values())[number % len(STRATEGIES)]
            metrics.figures_of(reading.group, check(reading.group, strategy.settle(reading.group)))


def _all_go_through(door: str, numbers: range) -> None:
    for number in numbers:
        try:
            _goes_through(door, number)
        except Exception as error:
            error.add_note(f"input {number} of {door}")
            raise


@pytest.mark.proof
@pytest.mark.parametrize("door", READERS)
def test_broken_input_is_read_or_refused_in_a_sentence(door: str) -> None:
    _all_go_through(door, range(EVERY_DAY))


@pytest.mark.proof
@pytest.mark.parametrize("door", READERS)
def test_more_broken_input_is_read_or_refused_in_a_sentence(door: str) -> None:
    _all_go_through(door, range(EVERY_DAY, IN_CI))


@pytest.mark.deep
@pytest.mark.parametrize("start", range(IN_CI, DEEP, _PART))
@pytest.mark.parametrize("door", READERS)
def test_very_much_broken_input_is_read_or_refused(door: str, start: int) -> None:
    _all_go_through(door, range(start, min(start + _PART, DEEP)))
