"""Every strategy there is: the built-in ones, and those that installed packages bring.

A package brings a strategy of its own by an entry point of the group ``ENTRY_POINTS``, whose value
is a ``Strategy``::

    [project.entry-points."kafka_assignments.strategies"]
    nightly = "acme_assignors:NIGHTLY"

Names are looked up here, once, where they come in: from a link, a command line or a table.
"""

import pickle
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple

from assignors.clients.registry import ALL_STRATEGIES, OTHER_CLIENTS
from assignors.registry import STRATEGIES
from assignors.strategy import Strategy, StrategyKind
from assignors.suggestions import nearest

ENTRY_POINTS: Final = "kafka_assignments.strategies"
_NAME: Final = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")
_NOT_NAMES: Final = ("now", "as-it-was")
"""What tables and comparisons call the present owners."""


class UnknownStrategyError(ValueError):
    """No strategy has this name; the message suggests one that exists."""


class Catalogue(NamedTuple):
    """What there is, and what was installed but cannot be used."""

    strategies: Mapping[str, Strategy]
    """By name, in display order: Kafka's and custom ones, those of packages, other clients'."""
    refused: tuple[str, ...]
    """Why an installed strategy is missing, a sentence each."""


@cache
def catalogue() -> Catalogue:
    """Return every strategy of this process; packages are asked once."""
    return _with_installed(entry_points(group=ENTRY_POINTS))


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


def _with_installed(points: Iterable[EntryPoint]) -> Catalogue:
    installed: dict[str, Strategy] = {}
    refused = []
    for point in sorted(points, key=lambda each: (each.name, each.value)):
        try:
            strategy = _usable(point.load(), {**ALL_STRATEGIES, **installed})
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- another's code must not end ours
            refused.append(_sentence(point, error))
        else:
            installed[strategy.name] = strategy
    return Catalogue({**STRATEGIES, **installed, **OTHER_CLIENTS}, tuple(refused))


def _sentence(point: EntryPoint, error: BaseException) -> str:
    package = f" of the package {point.dist.name}" if point.dist else ""
    first = (str(error).splitlines() or [""])[0]
    reason = first if isinstance(error, _RefusedError) else f"{type(error).__name__}: {first}"
    return f"the strategy {point.name!r}{package} cannot be used: {reason}"


class _RefusedError(ValueError):
    """What an entry point yields is not a strategy that every part can use."""


def _usable(value: Any, taken: Mapping[str, Strategy]) -> Strategy:  # noqa: ANN401 -- anything
    """Return what an entry point yields. Raises _RefusedError unless it is a usable strategy."""
    if not isinstance(value, Strategy):
        message = f"its entry point must name a Strategy, found {type(value).__name__}"
        raise _RefusedError(message)
    if not _NAME.fullmatch(value.name) or value.name in _NOT_NAMES:
        message = (
            f"its name must be of lower-case letters, digits, dots and hyphens, and not "
            f"{' or '.join(_NOT_NAMES)}; found {value.name!r}"
        )
        raise _RefusedError(message)
    if value.name in taken:
        message = f"another strategy is called {value.name!r}; give it a name of its own"
        raise _RefusedError(message)
    if value.label in {other.label for other in taken.values()}:
        message = f"another strategy has the label {value.label!r}; give it one of its own"
        raise _RefusedError(message)
    if value.kind is not StrategyKind.CUSTOM:
        message = f"its kind must be {StrategyKind.CUSTOM}, found {value.kind}"
        raise _RefusedError(message)
    try:
        pickle.dumps(value)
    except Exception as error:
        message = (
            "other processes must find its functions by their names in a module, so they cannot be "
            f"lambdas or local functions ({error})"
        )
        raise _RefusedError(message) from error
    return value
