"""Concurrent visitors: each sees the result of their own edits."""

import asyncio
from collections.abc import Iterator

import pytest

from benchmarks.dashboard import serving
from benchmarks.load import Visitor, visited

VISITORS = 4
LAGS = [10**9 * (number + 1) for number in range(VISITORS)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of this module's dashboard."""
    with serving() as address:
        yield address


@pytest.mark.proof
def test_visitors_who_edit_at_the_same_time_each_see_their_own_lag(address: str) -> None:
    async def shown(lag: int) -> tuple[str, list[str]]:
        async with Visitor.of(address) as visitor:
            await visitor.edit(lag)
            return visitor.metrics["Total lag"], visitor.errors

    async def all_shown() -> list[tuple[str, list[str]]]:
        return await asyncio.gather(*map(shown, LAGS))

    seen = asyncio.run(all_shown())

    assert seen == [(f"{number + 1}.00 G", []) for number in range(VISITORS)]


@pytest.mark.proof
def test_a_load_counts_every_opening_and_every_edit(address: str) -> None:
    load = asyncio.run(visited(address, visitors=2, every_s=0.1, rounds=3))

    assert (len(load.openings), len(load.edits)) == (2, 6)
