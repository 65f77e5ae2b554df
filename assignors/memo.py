"""What is worked out about a group once, however many strategies ask for it.

A strategy alone gains nothing from this; thirteen on each of 200,000 small groups do.
What is kept is for whoever asks next, so that arrays are made read-only.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

_T = TypeVar("_T")


class Keeper(Protocol):
    """What keeps the results: a group."""

    @property
    def known(self) -> dict[str, Any]:
        """What was worked out of this very group."""

    @property
    def known_for_any_claims(self) -> dict[str, Any]:
        """What was worked out of everything but the claims."""


_Keeper = TypeVar("_Keeper", bound=Keeper)


class standing_property(Generic[_T]):  # noqa: N801 -- used and read like ``cached_property``
    """A ``cached_property`` that does not depend on who claims what."""

    def __init__(self, work: Callable[[Any], _T]) -> None:
        """Decorate a method without arguments."""
        self._work, self.__doc__ = work, work.__doc__

    def __set_name__(self, _: type, name: str) -> None:
        """Learn the attribute's name."""
        self._name = name

    def __get__(self, group: Keeper, _: type) -> _T:
        """Work the value out, or take it over; from now on Python finds it in the group."""
        found = _kept(group.known_for_any_claims, self._name, self._work, group)
        group.__dict__[self._name] = found
        return found


class own_property(Generic[_T]):  # noqa: N801 -- used and read like ``cached_property``
    """A ``cached_property`` that depends on who claims what: no other group takes it over.

    It takes no lock, as Python's own does not since 3.12: what two threads work out at the
    same time is equal.
    """

    def __init__(self, work: Callable[[Any], _T]) -> None:
        """Decorate a method without arguments."""
        self._work, self.__doc__ = work, work.__doc__

    def __set_name__(self, _: type, name: str) -> None:
        """Learn the attribute's name."""
        self._name = name

    def __get__(self, group: Keeper, _: type) -> _T:
        """Work the value out; from now on Python finds it in the group."""
        found = group.__dict__[self._name] = _sealed(self._work(group))
        return found


def once(work: Callable[[_Keeper], _T]) -> Callable[[_Keeper], _T]:
    """Let a function of a group work out its answer once for each group."""
    name = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def answer(group: _Keeper) -> _T:
        return _kept(group.known, name, work, group)

    return answer


def once_for_any_claims(work: Callable[[_Keeper], _T]) -> Callable[[_Keeper], _T]:
    """Do the same for a function that does not ask who claims what."""
    name = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def answer(group: _Keeper) -> _T:
        return _kept(group.known_for_any_claims, name, work, group)

    return answer


def _kept(known: dict[str, Any], name: str, work: Callable[[_Keeper], _T], group: _Keeper) -> _T:
    if name in known:
        found: _T = known[name]
        return found
    found = known[name] = _sealed(work(group))
    return found


def _sealed(found: _T) -> _T:
    """Return the result, made read-only."""
    if isinstance(found, np.ndarray):
        found.setflags(write=False)
    elif isinstance(found, tuple):
        for value in found:
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
    return found
