"""One form for the numbers that a dataclass says users state: asked, kept in the link, read.

Reading is apart from asking, so that a page draws every field before it refuses one: a field that
is not drawn loses its value.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

from evaluation.stated import InvalidNumberError, Stated, check, stated_of
from ui import told

_T = TypeVar("_T")
_UNITS: Final = ("_s", "_min")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def ask(cls: type[Any], *names: str, prefix: str = "", blank: Mapping[str, str] = _NONE) -> None:
    """Ask for the stated numbers of a dataclass, or for some of them, by field.

    ``blank`` says what an empty field means where the usual value does not. ``prefix`` tells the
    fields of different dataclasses apart in the link.
    """
    for name, each in stated_of(cls).items():
        if not names or name in names:
            usual = "" if each.usual is None else f"{each.usual / each.times:g}"
            label = f"{each.label} ({each.unit})" if each.unit else each.label
            told.number(_link(name, each, prefix)).ask(label, each.about, blank.get(name, usual))


def read(cls: type[_T], *, prefix: str = "", **others: Any) -> _T:  # noqa: ANN401
    """Return the dataclass with what the visitor states, and ``others``, which are not asked.

    Raises what the dataclass raises for numbers out of bounds.
    """
    entered = {name: _value(name, each, prefix) for name, each in stated_of(cls).items()}
    return cls(**({name: value for name, value in entered.items() if value is not None} | others))


def number(cls: type[Any], name: str, *, prefix: str = "") -> float:
    """Return one of a dataclass's stated numbers; raises InvalidNumberError if out of bounds."""
    each = stated_of(cls)[name]
    value = _value(name, each, prefix)
    if value is None:
        message = f"{name} of {cls.__name__} is required, and the form assumes nothing"
        raise InvalidNumberError(message)
    check(each, value)
    return value


def _value(name: str, each: Stated, prefix: str) -> float | None:
    stated = told.number(_link(name, each, prefix)).number()
    value = each.usual if stated is None else stated * each.times
    return int(value) if each.is_whole and value is not None else value


def _link(name: str, each: Stated, prefix: str) -> str:
    unit = next((unit for unit in _UNITS if name.endswith(unit)), "")
    return ("" if each.is_shared else prefix) + (each.link or name.removesuffix(unit))
