"""Rows whose words match the columns one by one: nine of ten, so these must be read quickly."""

from collections.abc import Callable
from typing import Final

from sources.pastes import cells
from sources.pastes.headers import Field, Header
from sources.pastes.rows import GroupKey, Row

_NEEDED: Final = (Field.TOPIC, Field.PARTITION, Field.COMMITTED, Field.END, Field.LAG)
_WHO: Final = (Field.MEMBER, Field.INSTANCE, Field.HOST, Field.CLIENT)


def is_plain(header: Header) -> bool:
    """Tell whether a table has blanks between its columns and no columns without meaning."""
    fields = header.fields
    has_needed = all(field in fields for field in _NEEDED)
    return has_needed and Field.OTHER not in fields and not header.delimiter


class PlainRows:
    """One plain table: its lines into rows, as far as they are plain too."""

    def __init__(self, fields: tuple[Field, ...], key_of: Callable[[str], GroupKey]) -> None:
        place = {field: k for k, field in enumerate(fields)}
        self._width: Final = len(fields)
        self._numbers: Final = tuple(place[field] for field in _NEEDED)
        self._group: Final = place.get(Field.GROUP)
        self._begin: Final = place.get(Field.BEGIN)
        self._who: Final = [place.get(field) for field in _WHO]
        self._key_of: Final = key_of

    def read(self, line: int, text: str) -> Row | None:
        """Return the row in a line, None if its words do not match the columns."""
        words = text.split()
        topic, partition, committed, end, lag = self._numbers
        if len(words) != self._width or not cells.is_partition(words[partition]):
            return None
        try:
            return Row(
                line,
                self._key_of("" if self._group is None else words[self._group]),
                words[topic],
                int(words[partition]),
                None if self._begin is None else cells.offset(words[self._begin]),
                cells.offset(words[committed]),
                cells.offset(words[end]),
                cells.number(words[lag]),
                *["" if k is None else cells.member(words[k]) for k in self._who],
            )
        except ValueError:
            return None
