"""What-ifs in a link: JSON that is short enough to travel with a group.

A list of choices, or ``{"weather": ..., "choices": [...]}`` where the weather is not today's.
Earlier links have arrivals in their choices; the most of them are now the weather of all.
"""

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any, Final

import msgspec

from assignors.catalogue import strategies
from assignors.suggestions import nearest
from evaluation.what_if import MOST, TODAY, Asked, InvalidWhatIfError, Weather, WhatIf
from sources.errors import SourceError, guarded
from sources.repeated_keys import refuse_repeated_keys

MOST_CHARACTERS: Final = 2_000
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

    arrivals: float = 1.0
    lost: int = 0
    speed: float = 1.0


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Choices under a weather as they stand in a link."""

    weather: _Weather
    choices: list[_Written]


def encode(asked: Asked) -> str:
    """Return what is asked for a link; "" for nothing.

    >>> encode(Asked((WhatIf(consumers=10), WhatIf(topic="orders", partitions=48))))
    '[{"consumers":10},{"topic":"orders","partitions":48}]'
    >>> encode(Asked((WhatIf(consumers=10),), Weather(arrivals=1.5)))
    '{"weather":{"arrivals":1.5},"choices":[{"consumers":10}]}'
    """
    written = [_Written(**_changes(each)) for each in asked.choices]
    if asked.weather == TODAY:
        return msgspec.json.encode(written).decode() if written else ""
    today = asdict(TODAY)
    changed = {name: of for name, of in asdict(asked.weather).items() if of != today[name]}
    weather = _Weather(**changed)
    return msgspec.json.encode(_Asked(weather, written)).decode()


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
            choices = found if isinstance(found, list) else found.choices
            if len(choices) > MOST:
                message = f"there are {len(choices)}, where at most {MOST} stand side by side"
                raise SourceError(message)
            weather = _earlier(choices) if isinstance(found, list) else found.weather
            read = tuple(map(_read, choices))
            if isinstance(found, list) and weather.arrivals != 1:  # choices that were weather alone
                read = tuple(dict.fromkeys(read))
            return Asked(read, Weather(weather.arrivals, weather.lost, weather.speed))
        except (msgspec.MsgspecError, RecursionError) as error:
            message = "they were cut off or changed; copy the link once more"
            raise SourceError(message) from error
        except InvalidWhatIfError as error:
            raise SourceError(str(error)) from error


def _earlier(choices: Sequence[_Written]) -> _Weather:
    """Return the weather of an earlier link, whose choices held the arrivals."""
    asked = [each.arrivals for each in choices if each.arrivals != 1]
    return _Weather(arrivals=max(asked, default=1.0))


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
