"""What users state: beside each number of a dataclass stand its name, unit and bounds.

``check_stated`` refuses what is out of bounds, and ``ui.form`` asks for the same fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from numbers import Real
from types import UnionType
from typing import Any, Final, get_args

_STATED: Final = "stated"
_TINY: Final = 1e-3
"""Lower bounds below it only keep numbers off 0."""


class InvalidArgumentError(ValueError):
    """An argument of another type or form; the message names it and says what to give."""


class InvalidNumberError(ValueError):
    """A number out of bounds; the message says what is expected and what was given."""


@dataclass(frozen=True, kw_only=True)
class Stated:
    """What is known of a number that users state."""

    what: str
    """In a refusal: "the rebalance pause"."""
    label: str = ""
    """On a form, which adds the unit; empty where no form asks."""
    about: str = ""
    unit: str = ""
    usual: float | None = None
    """What a form assumes where it is left blank; by default the field's default."""
    least: float = 0.0
    most: float = 1e15
    is_whole: bool = False
    link: str = ""
    """Its name in links, if that is not the field's name without its unit."""
    times: float = 1.0
    """The field's value for one of ``unit``: 60 where seconds are stated in minutes. Bounds are in
    ``unit``, the usual value is the field's."""
    is_shared: bool = False
    """Whether forms of several dataclasses ask for it by one name: it is one fact."""


def require_a(wanted: type | UnionType, argument: str, found: object, way_out: str) -> None:
    """Raise InvalidArgumentError if an argument is not of the type that is wanted."""
    if not isinstance(found, wanted):
        names = " or ".join(
            each.__name__ for each in get_args(wanted) or (wanted,) if each is not type(None)
        )
        kind = type(found).__name__
        message = f"{argument} must be of type {names}, found one of type {kind}; {way_out}"
        raise InvalidArgumentError(message)


def stated(what: str, label: str = "", about: str = "", **rest: Any) -> Mapping[str, Stated]:  # noqa: ANN401 -- those of Stated
    """Return the metadata of a field; see ``Stated``."""
    return {_STATED: Stated(what=what, label=label, about=about, **rest)}


def stated_of(cls: Any) -> Mapping[str, Stated]:  # noqa: ANN401 -- any dataclass
    """Return the numbers of a dataclass that users state, by the names of their fields."""
    found = {}
    for field in fields(cls):
        each = field.metadata.get(_STATED)
        if each is not None and each.usual is None and isinstance(field.default, (int, float)):
            each = replace(each, usual=field.default)
        if each is not None:
            found[field.name] = each
    return found


def check_stated(numbers: object) -> None:
    """Raise InvalidNumberError for the first stated number of a dataclass that is out of bounds."""
    for name, each in stated_of(type(numbers)).items():
        value = getattr(numbers, name)
        if value is not None:
            check(each, value)


def check(each: Stated, value: float) -> None:
    """Raise InvalidNumberError if a field's value is no number, or out of bounds."""
    if not isinstance(value, Real):
        message = f"{each.what} must be a number; found {value!r}"
        raise InvalidNumberError(message)
    require(each.what, value / each.times, each.unit, least=each.least, most=each.most)


def require(
    what: str, value: float, unit: str = "", *, least: float = 0.0, most: float = 1e15
) -> None:
    """Raise InvalidNumberError if a number is not within bounds.

    >>> require("the rebalance pause", -1, "s")
    Traceback (most recent call last):
    evaluation.stated.InvalidNumberError: the rebalance pause must be 0 s or more; found -1 s
    """
    if least <= value <= most:
        return
    bound = f"{least:,.3g} {unit}".rstrip() + " or more"
    if value > most:
        bound = f"at most {most:,.0f} {unit}".rstrip()
    elif 0 < least < _TINY:
        bound = f"more than 0 {unit}".rstrip()
    found = f"found {value:,g} {unit}".rstrip()
    message = f"{what} must be {bound}; {found}"
    raise InvalidNumberError(message)
