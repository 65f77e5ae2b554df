"""Memoised results on a group, shared by strategies.

A strategy alone gains nothing from this; thirteen on each of 200,000 small groups do.
Arrays are made read-only, since the next caller gets the same ones.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

_T = TypeVar("_T")


class Keeper(Protocol):
    """What keeps the results: a group."""

    @property
    def memo(self) -> dict[str, Any]:
        """Results for this very group."""

    @property
    def claimless_memo(self) -> dict[str, Any]:
        """Results that do not depend on the claims; groups with other claims share them."""


_Keeper = TypeVar("_Keeper", bound=Keeper)


class memo_property(Generic[_T]):  # noqa: N801 -- used and read like ``cached_property``
    """A ``cached_property`` that depends on the claims and is read-only."""

    def __init__(self, work: Callable[[Any], _T]) -> None:
        """Decorate a method without arguments."""
        self._work, self.__doc__ = work, work.__doc__

    def __set_name__(self, _: type, name: str) -> None:
        """Learn the attribute's name."""
        self._name = name

    def __get__(self, group: Keeper, _: type) -> _T:
        """Compute the value; from now on Python finds it in the group."""
        value = group.__dict__[self._name] = _read_only(self._work(group))
        return value


class claimless_property(memo_property[_T]):  # noqa: N801 -- likewise
    """A ``cached_property`` that does not depend on the claims."""

    def __get__(self, group: Keeper, _: type) -> _T:
        """Compute the value or take it over; from now on Python finds it in the group."""
        value = _kept(group.claimless_memo, self._name, self._work, group)
        group.__dict__[self._name] = value
        return value


def memo(work: Callable[[_Keeper], _T]) -> Callable[[_Keeper], _T]:
    """Compute a function of a group once for each group."""
    name = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def answer(group: _Keeper) -> _T:
        return _kept(group.memo, name, work, group)

    return answer


def claimless_memo(work: Callable[[_Keeper], _T]) -> Callable[[_Keeper], _T]:
    """Do the same for a function that does not depend on the claims."""
    name = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def answer(group: _Keeper) -> _T:
        return _kept(group.claimless_memo, name, work, group)

    return answer


def _kept(results: dict[str, Any], name: str, work: Callable[[_Keeper], _T], group: _Keeper) -> _T:
    if name in results:
        kept: _T = results[name]
        return kept
    result = results[name] = _read_only(work(group))
    return result


def _read_only(result: _T) -> _T:
    if isinstance(result, np.ndarray):
        result.setflags(write=False)
    elif isinstance(result, tuple):
        for value in result:
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
    return result
