"""The rules 1 to 9 of docs/pipeline.md by which rows are rejected, in plain Python, row by row."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

Texts: TypeAlias = Mapping[str, str | None]
"""A line of telemetry as it stands in a file; None: the value is missing."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
UNITS_US: Final = (1_000_000, 1_000, 1, 0.001)
"""Seconds, milli-, micro- and nanoseconds, in microseconds."""
_NUMBERS: Final = ("partition", "log_start_offset", "log_end_offset", "committed_offset")
_NAMES: Final = (
    "cluster", "group_id", "topic", "member_id", "client_id", "host", "group_instance_id", "rack",
)  # fmt: skip
_RESET: Final = re.compile(
    r"latest|earliest|none"
    r"|by_duration:p(?=.)(\d+d)?(t(?=\d)(\d+h)?(\d+m)?(\d+(\.\d+)?s)?)?",
    re.IGNORECASE,
)


class UnreadableError(ValueError):
    """A value does not fit its column."""


def rule_or_row(texts: Texts | None, horizon: datetime, limit: datetime) -> int | dict[str, Any]:
    """Return the number of the first broken rule, or the row of ``telemetry``.

    ``texts`` is None for a line that is none; snapshots up to ``horizon`` are late, those after
    ``limit`` ahead of the clock.
    """
    if texts is None:
        return 1
    row: dict[str, Any] = {name: texts.get(name) or None for name in _NAMES}
    try:
        row["snapshot_at"] = _moment(texts.get("snapshot_at") or "")
        row |= {name: _number(name, texts.get(name) or "") for name in _NUMBERS}
        row["subscribed_topics"] = _topics(texts.get("subscribed_topics") or "")
    except UnreadableError:
        return 2
    row["auto_offset_reset"] = _spelled(texts.get("auto_offset_reset") or "")
    broken = {
        3: _is_of_no_snapshot(row),
        4: _is_of_no_place(row),
        5: _is_impossible(row),
        6: row["auto_offset_reset"] and not _RESET.fullmatch(row["auto_offset_reset"]),
        7: any(len((row[name] or "").encode()) > _most_bytes(name) for name in _NAMES),
        8: row["snapshot_at"] and row["snapshot_at"] <= horizon,
        9: row["snapshot_at"] and row["snapshot_at"] > limit,
    }
    return next((rule for rule, is_broken in broken.items() if is_broken), row)


def _most_bytes(name: str) -> int:
    return 249 if name == "topic" else 32_767


def _is_of_no_snapshot(row: Mapping[str, Any]) -> bool:
    at = row["snapshot_at"]
    named = row["cluster"] and row["group_id"] and at
    return not named or not 2000 <= at.astimezone(UTC).year <= 2099


def _is_of_no_place(row: Mapping[str, Any]) -> bool:
    topic, partition = row["topic"], row["partition"]
    if topic is None or partition is None:
        return topic is not None or partition is not None or row["member_id"] is None
    return not 0 <= partition <= 999_999


def _is_impossible(row: Mapping[str, Any]) -> bool:
    start, end = row["log_start_offset"], row["log_end_offset"]
    is_negative = any(row[name] is not None and row[name] < 0 for name in _NUMBERS[1:])
    return is_negative or (start is not None and end is not None and end < start)


def _number(name: str, text: str) -> int | None:
    if _is_blank(text):
        return None
    if not re.fullmatch(r"-?\d+(\.0*)?", text):
        raise UnreadableError
    number = int(text.partition(".")[0])
    if number >= 2 ** (31 if name == "partition" else 63):
        raise UnreadableError
    return None if number in {-1, -1001} and name != "partition" else number


def _moment(text: str) -> datetime | None:
    if _is_blank(text):
        return None
    try:
        if text[4:5] == "-":
            at = datetime.fromisoformat(text)
            return at if at.tzinfo else at.replace(tzinfo=UTC)
        number = float(text) if "." in text or "E" in text else int(text)
    except ValueError:
        raise UnreadableError from None
    for unit_us in UNITS_US:
        since_us = number // 1_000 if unit_us < 1 else round(number * unit_us)
        if abs(since_us) < 2**53 and 2000 <= (at := EPOCH + timedelta(0, 0, since_us)).year <= 2099:
            return at
    raise UnreadableError


def _topics(text: str) -> list[str | None] | None:
    if _is_blank(text):
        return None
    if not text.lstrip().startswith("["):
        return [name for name in re.split(r"\s*[;|]\s*", text.strip()) if name]
    try:
        topics: list[str | None] = json.loads(text)
    except ValueError:
        raise UnreadableError from None
    return topics


def _spelled(text: str) -> str | None:
    name, colon, duration = text.partition(":")
    return f"{name.lower()}{colon}{duration.upper()}" or None


def _is_blank(text: str) -> bool:
    return text.strip().lower() in {"", "nan"}
