"""Lines of keys and values: logfmt, InfluxDB's line protocol, DogStatsD."""

import re
from typing import Final

from sources import cells
from sources.columns import Field, field_of
from sources.pastes.documents import number, offset, partition
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, Parsed, Row, stated_lag

FORMAT: Final = "keys and values, one line a partition"
_PAIR: Final = re.compile(
    r"(?<![\w.])([A-Za-z][\w.]{0,99})[=:](?:\"([^\"\n]{0,999})\"|([^\s\",|=]{1,999}))"
)
_MEASURED_LAG: Final = re.compile(r"\S{0,99}lag,\S*\s(?:gauge|value|counter|last)=(-?[\d.]+)")
"""InfluxDB's field of a measurement that is named for the lag."""
_OFFSETS: Final = (Field.BEGIN, Field.COMMITTED, Field.END)
_OWNER: Final = (Field.MEMBER, Field.INSTANCE, Field.HOST, Field.CLIENT)


def read_key_values(page: Page) -> Parsed:
    """Return the partitions of which a line states group, topic, number, and lag or offsets."""
    parsed = Parsed(FORMAT)
    for line, text in enumerate(page.lines):
        row = _row(line, text) if "opic" in text and "artition" in text else None
        if row is not None:
            parsed.rows.append(row)
            parsed.used.add(line)
    return parsed


def _row(line: int, text: str) -> Row | None:
    stated: dict[Field, str] = {}
    if measured := _MEASURED_LAG.match(text.strip()):
        stated[Field.LAG] = measured[1]
    for key, quoted, plain in _PAIR.findall(text):
        field = field_of(key.rpartition(".")[2])
        if field is not None:
            stated.setdefault(field, quoted or plain.removesuffix("i"))
    place = partition(stated.get(Field.PARTITION, ""))
    group, topic = stated.get(Field.GROUP), stated.get(Field.TOPIC)
    if place is None or not group or not topic:
        return None
    begin, committed, end = (offset(stated.get(field)) for field in _OFFSETS)
    lag = stated_lag(stated.keys(), number(stated.get(Field.LAG)), committed, end)
    if lag is None:
        return None
    member, instance, host, client = (cells.member(stated.get(field, "")) for field in _OWNER)
    owner = member, instance, host, client
    return Row(line, GroupKey(group), topic, place, begin, committed, end, lag, *owner)
