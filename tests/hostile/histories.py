"""Two snapshots of a group with times around them, by seed, and how far apart they truly are."""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from tests.sources.pastes.test_times import DATES, TABLE

_ZONES: Final = (
    *("UTC", "Europe/Berlin", "Europe/London", "Europe/Dublin", "Europe/Moscow", "Europe/Lisbon"),
    *("Europe/Athens", "Europe/Istanbul", "America/New_York", "America/Chicago", "America/Denver"),
    *("America/Los_Angeles", "America/Havana", "America/Sao_Paulo", "America/St_Johns"),
    *("Asia/Kolkata", "Asia/Jerusalem", "Asia/Shanghai", "Asia/Tokyo", "Asia/Manila"),
    *("Asia/Kathmandu", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland"),
    "Africa/Cairo",
)
_ZONED: Final = (
    "%a %b %d %H:%M:%S %Z %Y",
    "%a %d %b %Y %I:%M:%S %p %Z",
    "%Y-%m-%dT%H:%M:%S%z",
    "%a, %d %b %Y %H:%M:%S %z",
    "[%d/%b/%Y:%H:%M:%S %z] x",
    "%Y-%m-%d %H:%M:%S %Z",
)
_PLAIN: Final = (
    "%Y-%m-%d %H:%M:%S",
    "[%Y-%m-%d %H:%M:%S,500] INFO started (x)",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%a %m/%d/%Y %H:%M:%S.12",
    "%d.%m.%Y %H:%M:%S,12",
    "%d/%m/%y %H:%M:%S",
    "%y/%m/%d %H:%M:%S",
    "%A, %B %d, %Y %I:%M:%S %p",
    "%b %d %H:%M:%S host app[7]: x",
    "%d.%m. %H:%M:%S",
    "Every 2.0s: kafka-consumer-groups --describe  host: %a %b %d %H:%M:%S %Y",
    "The current date is: %a %m/%d/%Y\nThe current time is: %H:%M:%S.12",
)
"""Without a zone: written in UTC, as nobody could tell a summer time from them."""
CLOCKS: Final = ("%H:%M:%S", "[%H:%M:%S] me@web-12:~$ describe", "%I:%M:%S %p", "me %H:%M:%S $")
_COARSE: Final = "%Y-%m-%d %H:%M"
_NOISE: Final = (
    "",
    "",
    "took 0:00:12",
    "$ kafka-consumer-groups.sh --bootstrap-server b:9092 --describe --group g",
    "[%Y-%m-%d %H:%M:%S,123] WARN no broker (org.apache.kafka.clients.NetworkClient)",
    "12 topics, 7 of 10 in sync",
    "http://[::1]:9092/ 10.0.0.1:9092 aa:bb:cc:00:11:22",
)
_GAPS_S: Final = (0, 1, 30, 60, 599, 3_600, 43_200, 86_399, 86_400, 90_000, 700_000, 9_000_000)


class History(NamedTuple):
    """A text, and how far apart its snapshots are."""

    text: str
    gap_s: float
    newest_end: int
    unit_s: float
    """What a clock without a day, or one without seconds, leaves open."""
    rest_s: float


def history(seed: int) -> History:
    """Return the history of this seed."""
    draw = random.Random(seed)  # noqa: S311 -- the same for the same seed
    if draw.random() < 0.3:
        (first_s, first), (later_s, later) = sorted(draw.sample(DATES[draw.choice([*DATES])], 2))
        return _of(draw, (first, later), (first_s, later_s), 0.0, 0.0)
    first_s = draw.randrange(1_420_070_400, 1_893_456_000)
    gap_s = draw.choice(_GAPS_S)
    kind = draw.random()
    forms: tuple[str, ...]
    if kind < 0.15:
        # Not all have fractions, and nobody tells 01/02/03 from 03/02/01.
        forms, unit_s, rest_s = tuple(f for f in _PLAIN + _ZONED if "%y" not in f), 0.0, 1.0
    elif kind < 0.3:
        forms, unit_s, rest_s = (draw.choice(CLOCKS),), 86_400.0, 0.0
    elif kind < 0.4:
        forms, unit_s, rest_s = (_COARSE,), 0.0, 60.0
    else:
        forms, unit_s, rest_s = (draw.choice(_PLAIN + _ZONED),), 0.0, 0.0
    zones = draw.choices(_ZONES, k=2)
    times = (first_s, first_s + gap_s)
    chosen = draw.choices(forms, k=2)
    if any("%Z" in form for form in chosen):  # nobody has two zones of one name
        zones[1] = zones[0]
    writers = [_writer(draw, form, zone) for form, zone in zip(chosen, zones, strict=True)]
    texts = tuple(write(at_s) for write, at_s in zip(writers, times, strict=True))
    return _of(draw, texts, times, unit_s, rest_s)


def _writer(draw: random.Random, form: str, zone: str) -> Callable[[int], str]:
    if draw.random() < 0.05:
        return lambda at_s: f"{at_s}000" if draw.random() < 0.5 else f"{at_s}"
    clock = ZoneInfo(zone) if form in _ZONED else UTC
    return lambda at_s: datetime.fromtimestamp(at_s, clock).strftime(form)


def _of(
    draw: random.Random,
    texts: tuple[str, ...],
    times: tuple[int, int],
    unit_s: float,
    rest_s: float,
) -> History:
    ahead_s = 3_600 * draw.randrange(-11, 12)
    """Of the log's zone."""
    ends = (600, 600 + draw.randrange(1, 1_000))
    parts = []
    for text, at_s, end in zip(texts, times, ends, strict=True):
        noise = datetime.fromtimestamp(at_s + ahead_s, UTC).strftime(draw.choice(_NOISE))
        around = [text, noise] if draw.random() < 0.8 else [noise, text]
        parts.append("\n".join([*around, TABLE.format(0, end)]))
    if draw.random() < 0.2:
        parts.reverse()
    return History("\n".join(parts), times[1] - times[0], ends[1], unit_s, rest_s)
