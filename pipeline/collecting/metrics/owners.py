"""Owners that somebody gives for groups of which metrics tell none: what ``--convert`` printed."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from live.errors import LiveError
from live.model import NamedPartition
from live.prometheus.spans import NOBODY, UNKNOWN, IntArray, Span

_LONGEST_LINE: Final = 50_000_000
_KNOWN: Final = ("listed", "stated")
"""Subscriptions that were read or stated; others were inferred."""


class Consumer(NamedTuple):
    """A consumer, as a reading of the group names it."""

    id: str
    client_id: str = ""
    host: str = ""
    instance_id: str = ""
    rack: str = ""
    topics: tuple[str, ...] | None = None
    """None: what it subscribes to is not told."""


class GivenOwners(NamedTuple):
    """Who owns what in one group."""

    consumers: tuple[Consumer, ...]
    owner: dict[NamedPartition, int]
    """The number of each partition's owner."""

    def idle(self) -> list[int]:
        """Return the numbers of the consumers without a partition."""
        busy = set(self.owner.values())
        return [number for number in range(len(self.consumers)) if number not in busy]

    def owner_of(self, span: Span) -> list[int]:
        """Return the owner of each partition of a window, ``NOBODY`` without one; (P,)."""
        return [self.owner.get(named, NOBODY) for named in span.partitions]

    def hold_at(self, members: IntArray) -> npt.NDArray[np.bool_]:
        """Return at which times as many consumers are counted, or nobody counts them; (S,)."""
        holds: npt.NDArray[np.bool_] = (members == UNKNOWN) | (members == len(self.consumers))
        return holds


class _Member(msgspec.Struct, frozen=True):
    id: str
    topics: tuple[str, ...] = ()
    owned: tuple[tuple[str, Annotated[int, msgspec.Meta(ge=0)]], ...] = ()
    client_id: str | None = None
    instance_id: str | None = None
    rack: str | None = None


class _Assumed(msgspec.Struct, frozen=True):
    subscriptions: str = "listed"
    members_unknown: bool = False


class _Group(msgspec.Struct, frozen=True):
    """What is needed of group JSON (docs/formats.md)."""

    id: str
    members: tuple[_Member, ...] = ()
    hosts: dict[str, str] = {}
    unknown_owners: dict[str, list[int]] = {}
    assumed: _Assumed = _Assumed()


def read_owners(paths: Iterable[Path]) -> Mapping[str, GivenOwners]:
    """Return the owners by group, of files with a group JSON on each line.

    Raises LiveError with the place if a file cannot be read, a group comes twice, or its owners are
    not told there either.
    """
    found: dict[str, GivenOwners] = {}
    for path in paths:
        for number, line in enumerate(_lines(path), 1):
            place = f"{path}, line {number}"
            group = _group(line, place)
            if group.id in found:
                message = f"{place}: the owners of {group.id} are given a second time; keep one"
                raise LiveError(message)
            found[group.id] = _owners(group, place)
    return found


def _lines(path: Path) -> list[bytes]:
    try:
        text = path.read_bytes()
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise LiveError(message) from error
    if len(text) > _LONGEST_LINE:
        message = f"{path} has {len(text):,} bytes; at most {_LONGEST_LINE:,} are read"
        raise LiveError(message)
    return [line for line in text.splitlines() if line.strip()]


def _group(line: bytes, place: str) -> _Group:
    try:
        return msgspec.json.decode(line, type=_Group)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = f"{place}: expected a group as assign.py --convert prints it ({error})"
        raise LiveError(message) from error


def _owners(group: _Group, place: str) -> GivenOwners:
    if group.unknown_owners or group.assumed.members_unknown or not group.members:
        message = f"{place}: this text does not tell who owns the partitions of {group.id} either"
        raise LiveError(message)
    is_listed = group.assumed.subscriptions in _KNOWN
    consumers = tuple(
        Consumer(
            id=member.id,
            client_id=member.client_id or "",
            host=group.hosts.get(member.id, ""),
            instance_id=member.instance_id or "",
            rack=member.rack or "",
            topics=member.topics if is_listed and member.topics else None,
        )
        for member in group.members
    )
    owner: dict[NamedPartition, int] = {}
    for number, member in enumerate(group.members):
        for named in member.owned:
            if owner.setdefault(named, number) != number:
                message = f"{place}: {named[0]}-{named[1]} of {group.id} has two owners"
                raise LiveError(message)
    return GivenOwners(consumers, owner)
