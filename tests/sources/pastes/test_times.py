"""When two pasted tables were printed: exactly, or unknown and asked for, never wrong."""

# ruff: noqa: E501, RUF001 -- a table of what programs print, in every script

import csv
import math
from collections import defaultdict
from itertools import permutations
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from evaluation.measuring.partition_times import partition_times
from evaluation.reading import Reading
from sources.pastes.stamps import resolved
from sources.pastes.written_times import written_in
from tests.pasted import the_group

TABLE: Final = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    "g     t     0         {0}            {1}            600 a-1         /h   a\n"
    "g     t     1         5              5              0   b-1         /h   b\n"
)
FIRST, SECOND = TABLE.format(0, 600), TABLE.format(900, 1_500)
WARNING: Final = "[{}] WARN The broker may not be available. (org.apache.kafka.clients)\n"
COMMAND: Final = "kafka-consumer-groups.sh --bootstrap-server b1:9092 --describe --group g\n"

KNOWN: Final[dict[str, tuple[str, str, float]]] = {
    # Zones and summer time.
    "offsets of ISO 8601": ("2026-10-25T02:59:30+02:00", "2026-10-25T02:00:30+01:00", 60),
    "two offsets": ("2026-11-23T10:00:00+05:30", "2026-11-23T04:31:00Z", 60),
    "one zone of several names": ("Mon Nov 23 10:00:00 IST 2026", "Mon Nov 23 10:01:00 IST 2026", 60),
    "India after Israel's summer": ("2026-11-23 10:00:00 IST", "2026-11-23 10:01:00 IST", 60),
    "Central time": ("Mon Nov 23 10:00:00 CST 2026", "Tue Nov 24 10:00:00 CST 2026", 86_400),
    "Java's zones": (
        "2026-10-25T02:59:30.5+02:00[Europe/Berlin]",
        "2026-10-25T02:00:30.5+01:00[Europe/Berlin]",
        60,
    ),
    "an offset in hours": ("2026-11-23 10:00:00+03", "2026-11-23 08:01:00+01", 60),
    "an abbreviation of no zone": ("Mon Nov 23 10:00:00 BRT 2026", "Mon Nov 23 10:01:00 BRT 2026", 60),
    # Another language's date is not read; two clocks beside the same one are of one day.
    "German, on one day": ("Mo 23. Nov 23:58:30 CET 2026", "Mo 23. Nov 23:59:30 CET 2026", 60),
    "Japanese, on one day": ("2026年 11月 23日 月曜日 10:00:00 JST", "2026年 11月 23日 月曜日 10:01:00 JST", 60),
    "British": ("Mon 23 Nov 10:00:00 GMT 2026", "Tue 24 Nov 11:00:00 GMT 2026", 90_000),
    "American": ("Mon 23 Nov 2026 11:59:30 PM EST", "Tue 24 Nov 2026 12:00:30 AM EST", 60),
    "PowerShell": ("Monday, November 23, 2026 10:00:00 PM", "Tuesday, November 24, 2026 11:00:00 PM", 90_000),
    "either, on one day": ("11/12/2026 10:00:00", "11/12/2026 10:01:00", 60),
    "common log format": ('[23/Nov/2026:23:59:30 +0100] "GET /"', '[24/Nov/2026:00:00:30 +0100] "GET /"', 60),
    # Logs, mails, epochs, prompts.
    "journald": ("Mon 2026-11-23 23:59:30 CET host x: y", "Tue 2026-11-24 00:00:30 CET host x: y", 60),
    "log4j": ("[2026-11-23 23:59:30,500] INFO x", "[2026-11-24 00:00:30,500] INFO x", 60),
    "RFC 2822": ("Date: Mon, 23 Nov 2026 23:59:30 +0100 (CET)", "Date: Mon, 23 Nov 2026 23:00:30 +0000 (UTC)", 60),
    "git": ("Date:   Mon Nov 23 23:59:30 2026 +0100", "Date:   Tue Nov 24 00:00:30 2026 +0100", 60),
    "JSON": ('{"ts":"2026-11-23T10:00:00Z","msg":"x"}', '{"ts":"2026-11-24T11:00:00Z","msg":"x"}', 90_000),
    "keys and values": ('time="2026-11-23T10:00:00Z" level=info', 'time="2026-11-24T11:00:00Z" level=info', 90_000),
    "in bold": ("**Mon Nov 23 10:00:00 UTC 2026**", "**Tue Nov 24 11:00:00 UTC 2026**", 90_000),
    "after a name": ("at:2026-11-23 10:00:00 x", "at:2026-11-24 11:00:00 x", 90_000),
    "seconds": ("1795397531", "1795397591", 60),
    "milliseconds": ("1795397531500", "1795397591500", 60),
    "bash's history": ("#1795397531", "#1795397591", 60),
    "seconds and ISO 8601": ("1795397531", "2026-11-23T01:33:11Z", 60),
    "12 hours": ("11:59:30 PM me@host $", "12:00:30 AM me@host $", 60),
    "a prompt over midnight": ("[23:59:30] me@web-23:~$ " + COMMAND, "[00:00:30] me@web-23:~$ " + COMMAND, 60),
    "a prompt of an hour": ("me@web-23 10:00:00 ~ $ " + COMMAND, "me@web-23 11:00:00 ~ $ " + COMMAND, 3_600),
    "watch": (
        "Every 2.0s: kafka-consumer-groups --describe  host: Mon Nov 23 23:59:30 2026",
        "Every 2.0s: kafka-consumer-groups --describe  host: Tue Nov 24 00:00:30 2026",
        60,
    ),
    "without seconds, hours apart": ("2026-11-23 10:00", "2026-11-24 11:00", 90_000),
    # The newest first, and what is in no table's way.
    "the newest first": ("Tue Nov 24 11:00:00 CET 2026", "Mon Nov 23 10:00:00 CET 2026", -90_000),
    "a warning in another zone": (
        "Mon Nov 23 10:00:00 CET 2026\n" + WARNING.format("2026-11-23 09:00:02,123"),
        "Mon Nov 23 10:01:00 CET 2026",
        60,
    ),
    "a warning beside prompts": (
        "10:00:00 me@host $ " + COMMAND,
        "10:01:00 me@host $ " + COMMAND + WARNING.format("2026-11-23 09:01:02,123"),
        60,
    ),
    "how long it took": ("Mon Nov 23 10:00:00 CET 2026\ntook 0:00:12", "Mon Nov 23 10:01:00 CET 2026\ntook 0:00:02", 60),
}  # fmt: skip
ASKED: Final[dict[str, tuple[str, str]]] = {
    "summer time ends": ("Sun Oct 25 02:59:30 CEST 2026", "Sun Oct 25 02:00:30 CET 2026"),
    "UTC and a zone": ("Mon Nov 23 09:00:00 UTC 2026", "Mon Nov 23 10:01:00 CET 2026"),
    "German": ("Mo 23. Nov 10:00:00 CET 2026", "Di 24. Nov 11:00:00 CET 2026"),
    "Japanese": ("2026年 11月 23日 月曜日 10:00:00 JST", "2026年 11月 24日 火曜日 11:00:00 JST"),
    "cmd": ("Mon 11/23/2026 10:00:00.12", "Tue 11/24/2026 11:00:00.12"),
    "day first, by the second": ("12/11/2026 10:00:00", "13/11/2026 11:00:00"),
    "dots, without a year": ("23.11. 10:00:00", "24.11. 11:00:00"),
    "syslog": ("Nov 23 23:59:30 host app[12]: started", "Nov 24 00:00:30 host app[12]: started"),
    "between rules": ("=== 23.11.2026 10:00:00 ===", "=== 24.11.2026 11:00:00 ==="),
    "days of the week": ("Mon 10:00:00", "Tue 11:00:00"),
    "watch in German": ("Alle 2,0s: kafka-consumer-groups --describe  host: Mo 23 Nov 2026 23:59:30 CET", "Alle 2,0s: kafka-consumer-groups --describe  host: Di 24 Nov 2026 00:00:30 CET"),
    "top": ("top - 23:59:30 up 23 days,  1:02,  3 users", "top - 00:00:30 up 23 days,  1:03,  3 users"),
    "day or month first": ("11/12/2026 10:00:00", "12/12/2026 11:00:00"),
    "day, month or year first": ("10/11/12 10:00:00", "11/11/12 10:00:00"),
    "India's or Israel's": ("Mon Nov 23 10:00:00 IST 2026", "Mon Nov 23 09:31:00 GMT 2026"),
    "China's or America's": ("Mon Nov 23 10:00:00 CST 2026", "Mon Nov 23 17:01:00 UTC 2026"),
    "only one has a zone": ("2026-11-23 10:00:00", "2026-11-23T10:01:00Z"),
    "only one has a day": ("10:00:00 me@host $", "2026-11-23 10:01:00"),
    "a month of no language": ("Mo 23 Foo 2026 10:00:00", "Di 24 Foo 2026 11:00:00"),
    "the day before a word": ("23 foo 10:00:00", "24 foo 11:00:00"),
    "a day that does not exist": ("2026-02-30 10:00:00", "2026-03-01 10:00:00"),
    "a year of another calendar": ("จ. 23 พ.ย. 2569 10:00:00 +07", "อ. 24 พ.ย. 2569 11:00:00 +07"),
    "Persia's": ("دوشنبه ۲ آذر ۱۴۰۵، ۰۱:۳۲:۱۱", "سه‌شنبه ۳ آذر ۱۴۰۵، ۰۱:۳۲:۱۱"),
    "February without a year": ("Feb 28 23:59:30 host x: y", "Mar  1 00:00:30 host x: y"),
    "without seconds, a minute apart": ("2026-11-23 10:00", "2026-11-23 10:01"),
    "one time twice": ("Mon Nov 23 10:00:00 CET 2026", "Mon Nov 23 10:00:00 CET 2026"),
    "the end of Germany's summer, without zones": ("2026-10-25 02:59:30\n", "2026-10-25 02:00:30\n"),
    "less than a second apart": ("2026-11-23 10:00:00.12", "2026-11-23 10:00:00"),
    "a user who is called Monday": ("ma 23:59:30 $", "ma 00:00:30 $"),
    "a date inside a name": ("x-2026-11-23 10:00:00", "x-2026-11-24 11:00:00"),
    "only a warning": ("Mon Nov 23 10:00:00 CET 2026", WARNING.format("2026-11-23 09:01:02,123")),
}  # fmt: skip


def times_of(reading: Reading) -> list[float]:
    assert reading.history is not None
    return [moment.at_s for moment in reading.history.moments]


def printed(first: str, second: str, *, is_rising: bool = True) -> Reading:
    tables = (FIRST, SECOND) if is_rising else (SECOND, FIRST)
    return the_group(f"{first}\n{tables[0]}\n{second}\n{tables[1]}")


@pytest.mark.parametrize(("first", "second", "seconds"), KNOWN.values(), ids=KNOWN)
def test_snapshots_are_as_far_apart_as_their_times(first: str, second: str, seconds: float) -> None:
    reading = printed(first, second, is_rising=seconds > 0)

    assert np.diff(times_of(reading)).tolist() == pytest.approx([abs(seconds)])
    assert reading.group.offsets.end is not None
    assert reading.group.offsets.end.tolist() == [1_500, 5]


@pytest.mark.parametrize(("first", "second"), ASKED.values(), ids=ASKED)
def test_what_can_be_read_in_several_ways_or_none_is_asked(first: str, second: str) -> None:
    reading = printed(first, second)

    assert reading.history is not None
    assert all(map(math.isnan, times_of(reading)))
    assert np.isnan(partition_times(reading.group, reading.history).produced).all()
    assert "how far apart the snapshots are" in " ".join(reading.notes)
    assert reading.group.offsets.end is not None
    assert reading.group.offsets.end.tolist() == [1_500, 5]


@pytest.mark.parametrize("above", ["", "Mon Nov 23 10:00:00 CET 2026", "10:00:00 me@host $"])
def test_end_offsets_that_all_fall_prove_that_the_newest_is_first(above: str) -> None:
    later = above.replace("10:00:00", "10:01:00")

    reading = printed(later, above, is_rising=False)

    assert reading.group.offsets.end is not None
    assert reading.group.offsets.end.tolist() == [1_500, 5]
    assert np.diff(times_of(reading)).tolist() == pytest.approx(
        [60 if above else math.nan], nan_ok=True
    )


def test_times_that_contradict_end_offsets_are_asked() -> None:
    reading = printed("2026-11-23 10:01:00", "2026-11-23 10:00:00")

    assert all(map(math.isnan, times_of(reading)))
    assert "end offsets would fall" in " ".join(reading.notes)


@pytest.mark.parametrize("zone", ["Z", "+01:00", " CET"])
def test_days_with_a_zone_stand_against_end_offsets_that_fall(zone: str) -> None:
    # Both times are certain, so the topic was recreated between them: 600 is the end now.
    reading = printed(f"2026-11-23T10:00:00{zone}", f"2026-11-23T10:01:00{zone}", is_rising=False)

    assert reading.group.offsets.end is not None
    assert reading.group.offsets.end.tolist() == [600, 5]
    assert np.diff(times_of(reading)).tolist() == [60]
    assert "recreated" in " ".join(reading.notes)


def test_clocks_without_a_day_are_said_to_be_assumed_within_one() -> None:
    assert "names no day" in " ".join(printed("10:00:00 $", "09:00:00 $").notes)
    assert "names no day" not in " ".join(printed("Mon 09:00:00", "Mon 10:00:00").notes)


def test_of_snapshots_at_one_time_the_last_counts() -> None:
    tables = [TABLE.format(0, 600 + 100 * k) for k in range(3)]
    text = "10:00:00\n{}\n10:01:00\n{}\n10:01:00\n{}".format(*tables)

    reading = the_group(text)

    assert np.diff(times_of(reading)).tolist() == [60]
    assert reading.history is not None
    assert reading.history.moments[-1].topics["t"][1].tolist() == [800, 5]


@pytest.mark.slow
def test_long_numbers_are_no_times() -> None:
    digits = "9" * 100_000

    assert written_in(f"{digits}:00:00 {digits}") is None
    assert written_in(f"{digits} 10:00:00 {digits}/11/{digits}") is not None
    assert written_in(digits) is None


_PRINTED: Final = Path(__file__).with_name("dates.tsv")
"""What ``date`` of glibc 2.36 prints: locale, seconds since the epoch, text."""
_READ_IN: Final = {"en_US", "en_GB", "en_IN", "en_CA"}


def _by_locale() -> dict[str, list[tuple[int, str]]]:
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    with _PRINTED.open(encoding="utf-8", newline="") as lines:
        for locale, at_s, text in csv.reader(lines, "excel-tab", quoting=csv.QUOTE_NONE):
            found[locale].append((int(at_s), text))
    return found


DATES: Final = _by_locale()


@pytest.mark.parametrize("locale", DATES)
def test_what_date_prints_is_read_in_english_and_never_wrongly(locale: str) -> None:
    read = [(at_s, written_in(text)) for at_s, text in DATES[locale]]

    differences = []
    for (earlier, one), (later, other) in permutations(read, 2):
        assert one is not None
        assert other is not None
        found = resolved([one, other], lambda _: False).at_s or [0, math.nan]
        differences.append((found[1] - found[0], later - earlier, one.zone == other.zone))

    known = [each for each in differences if not math.isnan(each[0])]
    assert all(found == meant for found, meant, _ in known)
    of_one_zone = [each for each in differences if each[2]]
    assert (len(known) >= len(of_one_zone)) == (locale in _READ_IN)
