"""How results are kept for all visitors, under what they were computed from, within bounds."""

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import fields, is_dataclass
from functools import wraps
from operator import attrgetter
from typing import Any, Final, ParamSpec, TypeVar, cast

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assignors.memo import memo
from assignors.model import Claims, Group, Layout, Offsets
from assignors.strategy import Strategy
from ui.footprint import Shelf

_P = ParamSpec("_P")
_T = TypeVar("_T")
SHELF: Final = Shelf()
"""What is kept, for all visitors."""


def digest(group: Group) -> str:
    """Return a fingerprint of all data of the group; only parts that are new are read."""
    parts = _digest(group.layout), _digest(group.claims), _digest(group.offsets)
    return " ".join((repr((group.id, group.load_settings)), *parts))


@memo
def _digest(part: Layout | Claims | Offsets) -> str:
    hasher = hashlib.blake2b(digest_size=16)
    for field in fields(part):
        value = getattr(part, field.name)
        hasher.update(field.name.encode())
        hasher.update(
            np.ascontiguousarray(value).tobytes()
            if isinstance(value, np.ndarray)
            else repr(value).encode()
        )
    return hasher.hexdigest()


_KEYS: Final[Mapping[type, Callable[[Any], Hashable]]] = {
    Group: digest,
    Strategy: attrgetter("name"),
    np.ndarray: lambda array: (array.shape, array.dtype.str, array.tobytes()),
}
"""What identifies a value in a key: equal groups have equal keys, for all visitors."""


def _key(value: object) -> Hashable:
    """Return what is equal for equal arguments: events, plans and frozen records as they are."""
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    for kind, identity in _KEYS.items():
        if isinstance(value, kind):
            return identity(value)
    if isinstance(value, Mapping):
        return tuple((name, _key(each)) for name, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return tuple(map(_key, value))
    if is_dataclass(value) and type(value).__eq__ is object.__eq__:
        return tuple(_key(getattr(value, each.name)) for each in fields(value))
    return value  # or a TypeError where it is looked up


def cached(entries: int, message: str = "") -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Cache this many results for all visitors; show the message while computing.

    All caches together hold up to a number of bytes (``ui.footprint``). Results are shared, so
    that nobody may change one.
    """

    def kept(function: Callable[_P, _T]) -> Callable[_P, _T]:
        @wraps(function)
        def found(*args: _P.args, **kwargs: _P.kwargs) -> _T:
            key = _call_key(function, args, kwargs)
            with SHELF.turn(key):
                with suppress(KeyError):
                    return cast("_T", SHELF.find(key))
                with waiting(message):
                    result = function(*args, **kwargs)
                SHELF.keep(key, result, entries)
                return result

        return found

    return kept


def is_kept(function: Callable[_P, object], *args: _P.args, **kwargs: _P.kwargs) -> bool:
    """Return whether a cached function has the result for these arguments."""
    return _call_key(function, args, kwargs) in SHELF


def _call_key(
    function: Callable[..., object], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> tuple[Hashable, ...]:
    return f"{function.__module__}.{function.__qualname__}", _key(args), _key(kwargs)


def clear() -> None:
    """Forget everything."""
    SHELF.clear()


def waiting(message: str) -> AbstractContextManager[object]:
    """Show a message while computing, if there is one and a page to show it on."""
    is_page = message and get_script_run_ctx(suppress_warning=True)
    return st.spinner(message) if is_page else nullcontext()
