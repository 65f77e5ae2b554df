"""Strategies by name, for tests."""

from assignors.catalogue import strategy_called
from assignors.strategy import Strategy


def named(*names: str) -> tuple[Strategy, ...]:
    """Return the strategies of these names."""
    return tuple(map(strategy_called, names))
