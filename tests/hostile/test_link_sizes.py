"""However a link is made, its page sends no more to the browser than one of a large group does."""

import asyncio
import json
import random
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from assignors.registry import STRATEGIES
from benchmarks.dashboard import serving
from benchmarks.load import session
from sources.budget import LIMITS
from sources.links import MOST_LETTERS
from tests.browser.test_untrusted import STATES

pytestmark = pytest.mark.slow
MOST_SENT: Final = 5_000_000
"""Bytes of all messages for one page."""
EVERY_DAY: Final = 12
DEEP: Final = 2_000
_TIMEOUT_S: Final = 240
_MOST_NAMES: Final = 9_900_000
"""Characters of names over all partitions, just below the limit of links."""
PAGES: Final = [
    *(state for state in STATES if state[0] not in {"gallery", "glossary", "strategies"}),
    *(("", {"view": "Explain", "explained": each}) for each in ("Consumer", "Strategy")),
    *(("", {"slide": str(number)}) for number in range(1, 6)),
    ("scenarios", {"what_if": '[{"consumers":40},{"arrivals":2.0}]'}),
]
"""Every page and view that shows a group, with what is chosen on it."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of this module's dashboard."""
    with serving() as address:
        yield address


def _link(group: dict[str, Any]) -> str:
    packed = zlib.compress(json.dumps(group, separators=(",", ":")).encode(), 9)
    return "z1." + urlsafe_b64encode(packed).rstrip(b"=").decode()


def _group(topics: int, letters: int, partitions: int, members: int, own: int) -> dict[str, Any]:
    """Return topics and consumers whose names have so many letters."""
    return {
        "topics": {"t" * letters + str(number): partitions for number in range(topics)},
        "members": [{"id": "c" * own + str(number)} for number in range(members)],
    }


async def _received(address: str, visits: Sequence[tuple[str, str]]) -> list[tuple[int, str]]:
    """Return the bytes that each page sends until it is complete, and what is asked for."""
    found = []
    for page, query in visits:
        asked = BackMsg()
        asked.rerun_script.page_name, asked.rerun_script.query_string = page, query
        size = 0
        async with asyncio.timeout(_TIMEOUT_S), session(address) as visitor:
            await visitor.send(asked.SerializeToString())
            async for data in visitor:
                frame = data if isinstance(data, bytes) else data.encode()
                size += len(frame)
                if _is_complete(ForwardMsg.FromString(frame)):
                    break
        found.append((size, f"{page}?{query[:300]}"))
    return found


def _is_complete(message: ForwardMsg) -> bool:
    """Return whether a page has ended; a visitor's first run begins once more."""
    is_end = message.WhichOneof("type") == "script_finished"
    return is_end and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN


def _asked(group: dict[str, Any], page: str, choices: dict[str, str]) -> tuple[str, str]:
    every = [("strategies", strategy.label) for strategy in STRATEGIES.values()]
    return page, urlencode([("group", _link(group)), *choices.items(), *every])


@pytest.mark.parametrize(
    "group",
    [
        _group(1, 5, 5, 1, LIMITS.name - 10),
        _group(1, LIMITS.name - 10, 3, 1, LIMITS.name - 10),
        _group(1, 5, 1_000, 99, 990),
        _group(50, 900, 10, 50, 900),
    ],
    ids=["one name", "a topic and a consumer", "99 names", "100 names"],
)
@pytest.mark.parametrize(
    "choices",
    [{"view": "Topics"}, {"view": "Consumers"}, {"view": "Explain"}, {"picture": "Heatmap"}],
    ids=str,
)
def test_names_as_long_as_a_link_may_have_are_not_repeated_a_hundredfold(
    address: str, group: dict[str, Any], choices: dict[str, str]
) -> None:
    ((size, asked),) = asyncio.run(_received(address, [_asked(group, "", choices)]))

    assert 10_000 < size < MOST_SENT, asked


def _drawn(number: int) -> tuple[str, str]:
    drawn = random.Random(number)  # noqa: S311 -- the same link for the same number
    topics, members = drawn.choice([1, 4, 50, 900]), drawn.choice([1, 30, 300, 5_000])
    letters = drawn.choice([1, 20, 249, min(MOST_LETTERS // (2 * topics), LIMITS.name) - 10])
    own = drawn.choice([1, 36, min(MOST_LETTERS // (2 * members), LIMITS.name) - 10])
    most = min(_MOST_NAMES // (letters + own + 20), 100_000) // topics
    group = _group(topics, letters, drawn.choice([1, 10, most]), members, max(own, 1))
    page, choices = drawn.choice(PAGES)
    if page == "rebalance":
        grown = {"add_partitions": {"topic": next(iter(group["topics"])), "more": 20_000}}
        added = {"add_topic": {"name": "x" * 3_000, "partitions": 10_000}}
        events = [drawn.choice([grown, added, {"rejoin": {}}]) for _ in range(drawn.randint(1, 9))]
        choices = {**choices, "events": json.dumps(events, separators=(",", ":"))}
    return _asked(group, page, choices)


@pytest.mark.proof
def test_no_drawn_link_sends_much_to_the_browser(address: str) -> None:
    sizes = asyncio.run(_received(address, [_drawn(number) for number in range(EVERY_DAY)]))

    assert max(sizes) < (MOST_SENT, "")


@pytest.mark.deep
def test_none_of_very_many_links_sends_much_to_the_browser(address: str) -> None:
    sizes = asyncio.run(_received(address, [_drawn(number) for number in range(EVERY_DAY, DEEP)]))

    assert max(sizes) < (MOST_SENT, "")
