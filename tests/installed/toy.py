"""A package with strategies of its own, installed into a folder as pip would install it."""

import os
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Final

NAME: Final = "last-takes-all"
LABEL: Final = "Last takes all"
MODULE: Final = dedent(
    '''
    """The last subscriber of each topic owns all of it."""

    from assignors.strategy import Strategy
    from assignors.trace.rules import Because


    def last_takes_all(group, *, trace=None):
        owners = group.nobody()
        for span, subscribers in group.wanted_slices():
            owners[span] = subscribers[-1]
            if trace:
                because = Because("Last", "The last subscriber is the newest machine.")
                trace.assigned(range(span.start, span.stop), subscribers[-1], because)
        return owners


    LAST = Strategy(
        name="last-takes-all",
        label="Last takes all",
        assign=last_takes_all,
        traced=last_takes_all,
    )
    '''
)


def install(folder: Path, module: str = MODULE, **points: str) -> dict[str, str]:
    """Install the module ``toy_assignors``; return the environment of processes that see it.

    ``points`` are entry points; by default one that names ``LAST``.
    """
    (folder / "toy_assignors.py").write_text(module)
    info = folder / "toy_assignors-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-assignors\nVersion: 1.0\n")
    lines = _points(points or {"last": "toy_assignors:LAST"})
    (info / "entry_points.txt").write_text(f"[kafka_assignments.strategies]\n{lines}\n")
    return {**os.environ, "PYTHONPATH": str(folder)}


def _points(points: Mapping[str, str]) -> str:
    return "\n".join(f"{name} = {value}" for name, value in points.items())
