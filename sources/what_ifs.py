"""What-ifs in a link: a list of JSON objects, short enough to travel with a group."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

import msgspec

from assignors.catalogue import strategies
from assignors.suggestions import nearest
from evaluation.what_if import MOST, InvalidWhatIfError, WhatIf
from sources.errors import SourceError, guarded

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


def encode(what_ifs: Sequence[WhatIf]) -> str:
    """Return the what-ifs for a link; "" for none.

    >>> encode([WhatIf(consumers=10), WhatIf(topic="orders", partitions=48)])
    '[{"consumers":10},{"topic":"orders","partitions":48}]'
    """
    written = [_Written(**_changes(each)) for each in what_ifs]
    return msgspec.json.encode(written).decode() if written else ""


def _changes(what_if: WhatIf) -> dict[str, Any]:
    """Return the fields that differ from their defaults."""
    values = {field.name: getattr(what_if, field.name) for field in fields(WhatIf)}
    if what_if.strategy is not None:
        values["strategy"] = what_if.strategy.name
    return {name: value for name, value in values.items() if value != getattr(WhatIf, name)}


def decode(text: str) -> tuple[WhatIf, ...]:
    """Read what-ifs as ``encode`` wrote them.

    Raises SourceError for a text that is too long, cut off or out of range.
    """
    if len(text) > MOST_CHARACTERS:
        message = f"{len(text):,} characters, where at most {MOST_CHARACTERS:,} can be read"
        raise SourceError(message)
    with guarded("these scenarios"):
        try:
            written = msgspec.json.decode(text.encode(errors="replace"), type=list[_Written])
            if len(written) > MOST:
                message = f"there are {len(written)}, where at most {MOST} stand side by side"
                raise SourceError(message)
            return tuple(map(_read, written))
        except (msgspec.MsgspecError, RecursionError) as error:
            message = "they were cut off or changed; copy the link once more"
            raise SourceError(message) from error
        except InvalidWhatIfError as error:
            raise SourceError(str(error)) from error


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
        written.arrivals,
    )
