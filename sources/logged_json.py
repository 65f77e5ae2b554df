"""Rebalances that logs of consumers tell, in group JSON: so that a saved group has their cause."""

import math
from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from assignors.suggestions import nearest
from evaluation.rebalance.member_log import LoggedRebalance, LogTrigger
from sources.errors import SourceError
from sources.records import AS_SET, Form, Record

_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Generation = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
_Seconds = Annotated[float, Meta(ge=0, le=10**12)]
_Partition = tuple[str, _Count]
_TRIGGERS: Final = {trigger.name.lower(): trigger for trigger in LogTrigger}


class LoggedJson(Struct, omit_defaults=True):
    """One rebalance in the log of one consumer."""

    consumer: str
    trigger: str
    at: str = ""
    strategy: str = ""
    generation: _Generation | None = None
    given_up: list[_Partition] = []
    added: list[_Partition] = []
    owned: _Count = 0
    rounds: _Count = 1
    stopped_s: _Seconds | None = None


def _trigger_called(name: str) -> LogTrigger:
    if name not in _TRIGGERS:
        message = f"logged.trigger: found {name!r}; {nearest(name, _TRIGGERS)}"
        raise SourceError(message)
    return _TRIGGERS[name]


_LOGGED: Final = Record(
    LoggedRebalance,
    LoggedJson,
    {
        "trigger": Form(lambda trigger: trigger.name.lower(), _trigger_called),
        "given_up": AS_SET,
        "added": AS_SET,
        "stopped_s": Form(
            lambda seconds: None if math.isnan(seconds) else seconds,
            lambda seconds: math.nan if seconds is None else seconds,
        ),
    },
)


def as_json(logged: Sequence[LoggedRebalance]) -> list[LoggedJson]:
    """Return the rebalances to write."""
    return [_LOGGED.write(each) for each in logged]


def logged_of(kept: Sequence[LoggedJson]) -> tuple[LoggedRebalance, ...]:
    """Return the rebalances that were written. Raises SourceError for an unknown trigger."""
    return tuple(map(_LOGGED.read, kept))


def brief(logged: Sequence[LoggedRebalance]) -> tuple[LoggedRebalance, ...]:
    """Return the last rebalance of each cause that each consumer logged."""
    last: dict[tuple[str, LogTrigger], LoggedRebalance] = {}
    for each in logged:
        last.pop((each.consumer, each.trigger), None)
        last[each.consumer, each.trigger] = each
    return tuple(last.values())
