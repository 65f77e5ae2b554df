"""What the rule of advice knows of strategies by their names, for a ranking over a window."""

from collections.abc import Collection, Sequence

import numpy as np

from assignors.catalogue import strategies
from assignors.model import LongArray
from assignors.strategy import Protocol
from evaluation.assuming.clients import is_settable
from evaluation.comparing.ranking import Pool


def pool_of(names: Sequence[str], refused: LongArray | None = None) -> Pool:
    """Return the pool of these strategies, the owners of telemetry first.

    One that is not registered is taken for a jar that stops all consumers. ``refused`` is as in
    ``Pool``.
    """
    known = strategies()
    settable, of = settable_among(names), [known.get(name) for name in names]
    nothing = np.zeros((2, 0), np.int64)
    return Pool(
        takes_jar=np.array([name not in settable for name in names], np.bool_),
        stops_all=np.array([s is None or s.protocol is Protocol.EAGER for s in of], np.bool_),
        refused=nothing if refused is None else refused,
    )


def settable_among(names: Collection[str]) -> list[str]:
    """Return the strategies that a setting selects, without what takes a jar."""
    return [name for name in names if name in strategies() and is_settable(strategies()[name])]
