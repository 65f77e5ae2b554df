"""Concurrent visitors: each sees the result of their own edits, and an edit costs little."""

import asyncio
import re
from collections.abc import Iterator
from typing import Final

import pytest

from benchmarks.dashboard import serving
from benchmarks.load import Visitor, fresh_lag, spent, visited
from tests.patience import slowdown

VISITORS = 4
EDITS: Final = 8
SERVER_S: Final = 0.08
"""CPU seconds until the answer stands; ``tests/ui/test_cache.py`` counts those of the workers."""
_TICKS_S: Final = 0.02
"""CPU time of another process is counted in hundredths of a second, at both ends."""
BEHIND: Final = re.compile(r"(\S+ G) records behind")
LAGS = [10**9 * (number + 1) for number in range(VISITORS)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of this module's dashboard."""
    with serving() as address:
        yield address


@pytest.mark.proof
def test_visitors_who_edit_at_the_same_time_each_see_their_own_lag(address: str) -> None:
    async def shown(lag: int) -> tuple[list[str], list[str]]:
        async with Visitor.of(address) as visitor:
            await visitor.edit(lag)
            behind = [BEHIND.search(text) for text in visitor.texts.values()]
            return [found.group(1) for found in behind if found], visitor.errors

    async def all_shown() -> list[tuple[list[str], list[str]]]:
        return await asyncio.gather(*map(shown, LAGS))

    seen = asyncio.run(all_shown())

    assert seen == [([f"{number + 1}.00 G"], []) for number in range(VISITORS)]


@pytest.mark.proof
def test_a_load_counts_every_opening_and_every_edit(address: str) -> None:
    load = asyncio.run(visited(address, visitors=2, every_s=0.1, rounds=3))

    assert (len(load.openings), len(load.edits)) == (2, 6)


@pytest.mark.proof
def test_an_edit_that_no_cache_knows_costs_little_of_the_servers_cpu(address: str) -> None:
    async def costs() -> list[float]:
        async with Visitor.of(address) as visitor:
            seen = []
            for _ in range(EDITS):
                slower, before = slowdown(), spent()
                await visitor.edit(fresh_lag())
                seen.append((spent().server_s - before.server_s) / slower)
            return seen

    seen = asyncio.run(costs())

    assert min(seen) <= SERVER_S + _TICKS_S, seen
