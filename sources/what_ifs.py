"""What-ifs in a link: JSON that is short enough to travel with a group.

A list of choices, or ``{"weathers": [...], "choices": [...]}`` where today's is not the only
weather. Earlier links have one ``weather``, or arrivals in their choices, the most of which are the
weather of all.
"""

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any, Final

import msgspec

from assignors.catalogue import strategies
from assignors.suggestions import nearest
from evaluation.what_if import (
    MOST,
    MOST_WEATHERS,
    TODAY,
    Asked,
    InvalidWhatIfError,
    Weather,
    WhatIf,
)
from sources.errors import SourceError, guarded
from sources.repeated_keys import refuse_repeated_keys

MOST_CHARACTERS: Final = 4_000
_LONGEST_NAME: Final = 60


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A what-if as a link has it."""

    name: str = ""
    strategy: str = ""
    consumers: int = 0
    topic: str = ""
    partitions: int = 0
    arrivals: float = 1.0
    """Only in links of earlier releases."""


class _Weather(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A weather as a link has it."""

    name: str = ""
    arrivals: float = 1.0
    lost: int = 0
    speed: float = 1.0


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Choices and weathers as they stand in a link."""

    choices: list[_Written]
    weathers: list[_Weather] = []
    weather: _Weather | None = None
    """Only in links of earlier releases."""


def encode(asked: Asked) -> str:
    """Return what is asked for a link; "" for nothing.

    >>> encode(Asked((WhatIf(consumers=10), WhatIf(topic="orders", partitions=48))))
    '[{"consumers":10},{"topic":"orders","partitions":48}]'
    >>> encode(Asked((WhatIf(consumers=10),), (TODAY, Weather(arrivals=1.5))))
    '{"weathers":[{},{"arrivals":1.5}],"choices":[{"consumers":10}]}'
    """
    choices = [_Written(**_changes(each)) for each in asked.choices]
    if asked.weathers == (TODAY,):
        return msgspec.json.encode(choices).decode() if choices else ""
    today = asdict(TODAY)
    weathers = [
        {name: of for name, of in asdict(each).items() if of != today[name]}
        for each in asked.weathers
    ]
    return msgspec.json.encode({"weathers": weathers, "choices": choices}).decode()


def _changes(what_if: WhatIf) -> dict[str, Any]:
    """Return the fields that differ from their defaults."""
    values = {field.name: getattr(what_if, field.name) for field in fields(WhatIf)}
    if what_if.strategy is not None:
        values["strategy"] = what_if.strategy.name
    return {name: value for name, value in values.items() if value != getattr(WhatIf, name)}


def decode(text: str) -> Asked:
    """Read what is asked as ``encode`` wrote it, in this release or an earlier one.

    Raises SourceError for a text that is too long, cut off or out of range.
    """
    if len(text) > MOST_CHARACTERS:
        message = f"{len(text):,} characters, where at most {MOST_CHARACTERS:,} can be read"
        raise SourceError(message)
    with guarded("these scenarios"):
        try:
            data = text.encode(errors="replace")
            found = msgspec.json.decode(data, type=list[_Written] | _Asked)
            refuse_repeated_keys(data)
            return _earlier(found) if isinstance(found, list) else _asked(found)
        except (msgspec.MsgspecError, RecursionError) as error:
            message = "they were cut off or changed; copy the link once more"
            raise SourceError(message) from error
        except InvalidWhatIfError as error:
            raise SourceError(str(error)) from error


def _asked(found: _Asked) -> Asked:
    weathers = found.weathers or [found.weather or _Weather()]
    _require("cases", len(weathers), MOST_WEATHERS)
    return Asked(_choices(found.choices), tuple(map(_weather, weathers)))


def _earlier(written: Sequence[_Written]) -> Asked:
    """Return what a bare list asks; the choices of an earlier one held the arrivals."""
    most = max((each.arrivals for each in written if each.arrivals != 1), default=1.0)
    choices = _choices(written)
    if most == 1:
        return Asked(choices)
    return Asked(tuple(dict.fromkeys(choices)), (Weather(arrivals=most),))


def _choices(written: Sequence[_Written]) -> tuple[WhatIf, ...]:
    _require("choices", len(written), MOST)
    return tuple(map(_read, written))


def _require(what: str, count: int, most: int) -> None:
    if count > most:
        message = f"there are {count} {what}, where at most {most} have room"
        raise SourceError(message)


def _weather(written: _Weather) -> Weather:
    return Weather(written.name[:_LONGEST_NAME], written.arrivals, written.lost, written.speed)


def _read(written: _Written) -> WhatIf:
    known = strategies()
    if written.strategy and written.strategy not in known:
        message = f"there is no strategy {written.strategy!r}; {nearest(written.strategy, known)}"
        raise SourceError(message)
    return WhatIf(
        written.name[:_LONGEST_NAME],
        known.get(written.strategy),
        written.consumers,
        written.topic,
        written.partitions,
    )
