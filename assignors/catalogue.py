"""Every strategy there is: the built-in ones, and those that installed packages bring.

A package brings a strategy of its own by an entry point of the group ``ENTRY_POINTS``, whose value
is a ``Strategy``::

    [project.entry-points."kafka_assignments.strategies"]
    nightly = "acme_assignors:NIGHTLY"

Names are looked up here, once, where they come in: from a link, a command line or a table.
"""

import pickle
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, distributions
from typing import Final

import numpy as np

from assignors.clients.registry import ALL_STRATEGIES, OTHER_CLIENTS
from assignors.model import Group, Owners
from assignors.registry import STRATEGIES
from assignors.rules import InvalidAssignmentError, check
from assignors.strategy import Strategies, Strategy, StrategyKind
from assignors.suggestions import nearest
from assignors.trace.events import Trace

ENTRY_POINTS: Final = "kafka_assignments.strategies"
_NAME: Final = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")
_NOT_NAMES: Final = ("now", "as-it-was")
"""What tables and comparisons call the present owners."""


class UnknownStrategyError(ValueError):
    """No strategy has this name; the message suggests one that exists."""


class FailedStrategyError(InvalidAssignmentError):
    """A strategy from outside gives no valid assignment of a group; the message says why."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message, name)
        self.name = name

    def __str__(self) -> str:
        return str(self.args[0])


class RefusedStrategyError(ValueError):
    """What an entry point yields is not a strategy that every part of the product can use."""


@dataclass(frozen=True)
class Catalogue:
    """What there is, and what was installed but cannot be used."""

    strategies: Mapping[str, Strategy]
    """By name, in display order: Kafka's and custom ones, those of packages, other clients'."""
    refused: tuple[str, ...]
    """Why an installed strategy is missing, a sentence each."""


_withdrawn: Final[dict[str, str]] = {}
"""Why, by name, this process no longer offers an installed strategy."""


def catalogue() -> Catalogue:
    """Return every strategy of this process; installed packages are asked once."""
    found = _at_start()
    if not _withdrawn:
        return found
    kept = {name: each for name, each in found.strategies.items() if name not in _withdrawn}
    return Catalogue(kept, (*found.refused, *_withdrawn.values()))


@cache
def _at_start() -> Catalogue:
    points: list[EntryPoint] = []
    refused: list[str] = []
    seen: set[str] = set()
    for distribution in distributions():
        try:
            if ENTRY_POINTS not in (distribution.read_text("entry_points.txt") or ""):
                continue
            name = distribution.name
            if name not in seen:  # the first on the path shadows others of its name
                seen.add(name)
                points += distribution.entry_points.select(group=ENTRY_POINTS)
        except Exception as error:  # noqa: BLE001 -- another's metadata must not end ours
            where = getattr(distribution, "_path", "an installed package")
            refused.append(f"the entry points of {where} cannot be read: {_in_words(error)}")
    found = with_installed(points)
    return Catalogue(found.strategies, (*refused, *found.refused))


def withdraw(error: FailedStrategyError) -> str:
    """Stop offering a failed strategy until restart; return the message to show."""
    sentence = f"{error}; it is left out until the next start"
    return _withdrawn.setdefault(error.name, sentence)


def strategies() -> Mapping[str, Strategy]:
    """Return every strategy by name, in display order."""
    return catalogue().strategies


def strategy_called(name: str) -> Strategy:
    """Return the strategy of this name. Raises UnknownStrategyError."""
    found = strategies().get(name)
    if found is None:
        message = f"there is no strategy {name!r}; {nearest(name, strategies())}"
        raise UnknownStrategyError(message)
    return found


def strategies_asked(given: Iterable[object]) -> list[Strategy]:
    """Return strategies that a program asks for, by name or as objects.

    Raises UnknownStrategyError for what is neither.
    """
    if isinstance(given, str):
        message = f"strategies must be a list, found the text {given!r}"
        raise UnknownStrategyError(message)
    return [_asked(each) for each in given]


def _asked(given: object) -> Strategy:
    if isinstance(given, Strategy):
        return given
    if isinstance(given, str):
        return strategy_called(given)
    message = (
        f"expected a Strategy or the name of one, found {given!r}; a function becomes one by "
        "Strategy(name=..., label=..., assign=function)"
    )
    raise UnknownStrategyError(message)


def with_installed(points: Iterable[EntryPoint]) -> Catalogue:
    """Return the built-in strategies and those of entry points; one that is broken is refused."""
    installed: dict[str, Strategy] = {}
    refused = []
    for point in sorted(points, key=lambda each: (each.name, each.value)):
        whose = f"the strategy {point.name!r}"
        whose += f" of the package {point.dist.name}" if point.dist else ""
        try:
            taken = Strategies((*ALL_STRATEGIES.values(), *installed.values()))
            strategy = usable(point.load(), taken)
        except RefusedStrategyError as error:
            refused.append(f"{whose} cannot be used: {error}")
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- another's code must not end ours
            refused.append(f"{whose} cannot be used: {_in_words(error)}")
        else:
            installed[strategy.name] = _watched(strategy, whose)
    every = (*STRATEGIES.values(), *installed.values(), *OTHER_CLIENTS.values())
    return Catalogue(Strategies(every), tuple(refused))


def usable(value: object, taken: Mapping[str, Strategy]) -> Strategy:
    """Return what an entry point yields if it is a strategy, and its names are not taken.

    Raises RefusedStrategyError otherwise.
    """
    if not isinstance(value, Strategy):
        message = f"its entry point must name a Strategy, found {type(value).__name__}"
        raise RefusedStrategyError(message)
    if not _NAME.fullmatch(value.name) or value.name in _NOT_NAMES:
        message = (
            "its name must be of lower-case letters, digits, dots and hyphens, and not "
            f"{' or '.join(_NOT_NAMES)}; found {value.name!r}"
        )
        raise RefusedStrategyError(message)
    if value.name in taken:
        message = f"another strategy is called {value.name!r}; give it a name of its own"
        raise RefusedStrategyError(message)
    if value.label in {other.label for other in taken.values()}:
        message = f"another strategy has the label {value.label!r}; give it one of its own"
        raise RefusedStrategyError(message)
    if value.kind is not StrategyKind.CUSTOM:
        message = f"its kind must be {StrategyKind.CUSTOM}, found {value.kind}"
        raise RefusedStrategyError(message)
    try:
        pickle.dumps(value)
    except Exception as error:
        message = (
            "other processes must find its functions by their names in a module, so they cannot be "
            f"lambdas or local functions ({_in_words(error)})"
        )
        raise RefusedStrategyError(message) from error
    return value


def _watched(strategy: Strategy, whose: str) -> Strategy:
    """Return the strategy with functions that turn any failure into FailedStrategyError."""

    def watched(function: Callable[..., Owners], *, is_last: bool) -> _Watched:
        return _Watched(strategy.name, whose, function, is_last=is_last)

    return replace(
        strategy,
        assign=watched(strategy.assign, is_last=strategy.target is None),
        target=None if strategy.target is None else watched(strategy.target, is_last=True),
        traced=None if strategy.traced is None else watched(strategy.traced, is_last=True),
    )


def given_in_person(strategy: Strategy) -> Strategy:
    """Return a strategy that a program gives, watched unless it is one of the catalogue's."""
    if strategies().get(strategy.name) is strategy:
        return strategy
    return _watched(strategy, f"the strategy {strategy.name!r}")


@dataclass(frozen=True)
class _Watched:
    """A function of a strategy from outside whose results are checked and whose errors are told."""

    name: str
    whose: str
    function: Callable[..., Owners]
    is_last: bool
    """Whether it gives the final owners, which must be complete."""

    def __call__(self, group: Group, /, *, trace: Trace | None = None) -> Owners:
        try:
            told = {} if trace is None else {"trace": trace}
            owners = np.asarray(self.function(group, **told))
            if trace is not None:
                trace.check(group)
            return check(group, owners.astype(np.int32, casting="same_kind"), complete=self.is_last)
        except Exception as error:
            message = f"{self.whose} gives no valid assignment of this group: {_in_words(error)}"
            raise FailedStrategyError(message, self.name) from error


def _in_words(error: BaseException) -> str:
    first = (str(error).splitlines() or [""])[0]
    return (
        first if isinstance(error, InvalidAssignmentError) else f"{type(error).__name__}: {first}"
    )
