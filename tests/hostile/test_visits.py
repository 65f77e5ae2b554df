"""Visits by hostile links: no page shows an exception, and the server logs none."""

import asyncio
import json
import random
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.dashboard import serving
from benchmarks.load import session
from sources import group_json
from tests.browser.test_untrusted import STATES
from tests.hostile import names
from ui import told

pytestmark = pytest.mark.slow
EVERY_DAY, IN_CI, DEEP = 8, 100, 20_000
_LONG_MAX: Final = 2**63 - 1
_TIMEOUT_S: Final = 240
_WITHOUT_GROUP: Final = ("gallery", "glossary", "strategies")
"""Pages that do not depend on the link's group; only strange links open them."""


class Server(NamedTuple):
    """A dashboard with its error log."""

    address: str
    log: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """This module's dashboard."""
    log = tmp_path_factory.mktemp("visits") / "log"
    with log.open("wb") as errors, serving(errors=errors) as address:
        yield Server(address, log)


def _group(topics: dict[str, int], members: list[dict[str, Any]], **more: object) -> bytes:
    return json.dumps({"topics": topics, "members": members, **more}).encode()


def _small(**more: object) -> bytes:
    return _group(
        {"t": 3, "u": 2},
        [{"id": "a", "topics": ["t", "u"], "owned": [["t", 0]]}, {"id": "b", "topics": ["t"]}],
        **more,
    )


def _named(name: str) -> bytes:
    member = {"id": name, "topics": [f"{name}t"], "instance_id": name, "rack": name}
    others = [{"id": "b", "topics": [f"{name}t"], "owned": [[f"{name}t", 0]]}]
    return _group({f"{name}t": 2, name: 1}, [member, *others], id=name, lags={name: [7]})


GROUPS: Final = {
    "lags at the top": _small(lags={"t": [_LONG_MAX] * 3, "u": [_LONG_MAX, None]}),
    "lags at the bottom": _small(lags={"t": [-_LONG_MAX, -1, 0]}),
    "lags beyond": _small(lags={"t": [2**63, 1, 1]}),
    "lags far beyond": _small(lags={"t": [10**400, 1, 1]}),
    "lags of the wrong kind": _small(lags={"t": [1e300, "NaN", 1]}),
    "offsets at the ends": _small(
        offsets={"t": {"begin": [-(2**62)] * 3, "end": [2**62] * 3, "committed": [None, 0, 2**62]}}
    ),
    "rates and speeds at the top": _group(
        {"t": 3},
        [{"id": "a", "topics": ["t"], "throughput": 1e15}, {"id": "b", "throughput": 5e-324}],
        rates={"t": [1e15, 5e-324, None]},
        lags={"t": [_LONG_MAX] * 3},
    ),
    "rates beyond": _small(rates={"t": [1e308, 1e308, -1e308]}),
    "NUL": _named("\x00"),
    "no name": _named(""),
    "control characters": _named("\x1b[31m\r\n\t\x7f\x85\u2028"),
    "directions and no characters": _named("\u202e\u2066\ufffe\uffff"),
    "a long name": _named("x" * 32_000),
    "names as markup": group_json.encode(names.group()),
    "half a character, escaped": b'{"id": "\\ud800", "topics": {"\\udfff": 2}, "members": []}',
    "half a character": b'{"id": "\xed\xa0\x80", "topics": {"t": 2}, "members": []}',
    "nothing": _group({}, []),
    "nobody": _group({"t": 3}, [], lags={"t": [1, 2, 3]}),
    "no partitions": _group({"t": 0}, [{"id": "a", "topics": ["t", "gone"]}]),
    "more consumers than partitions": _group({"t": 1}, [{"id": f"c{k}"} for k in range(300)]),
    "claims of all on one": _group(
        {"t": 3}, [{"id": f"c{k}", "topics": ["t"], "owned": [["t", 0]] * 2} for k in range(20)]
    ),
}
DAILY: Final = ("names as markup", "nobody")
"""The groups with which every run of the suite opens a view of each page; the proofs open every
view with every group."""
NUMBERS: Final = (
    *("allowed_min", "pause", "partition_cap", "most_consumers", "throughput", "total_rate"),
    *("time_warm_up", "time_restart", "time_apart"),
    *("time_heartbeat", "time_interval", "time_session", "time_restarted", "time_shared"),
    *("explained_partition", "moves", "minutes", "lag_threshold", "hours", "target", "commit"),
    *("pod_start", "pod_cost", "threads", "retention_hours", "snapshot_interval", "watch_interval"),
)
CHOICES: Final = (
    *("view", "table", "picture", "present", "edit", "start", "example", "strategies", "lag_topic"),
    *("search", "colour", "rebalance_view", "events", "rates", "time_story", "time_crash"),
    *("explained", "explained_topic", "decision", "explained_consumer", "about", "history_guide"),
    *(
        "workload",
        "scaled_strategy",
        "other_rule",
        "client",
        "currency",
        "switch_from",
        "switch_to",
    ),
    *("fleet_view", "tables", "folder", "cluster", "find", "groups", "strategy", "snapshot"),
    *("switch_all_from", "switch_all_to", "time_by", "librdkafka_strategies"),
)
STRANGE: Final = (
    *("", "0", "-1", "-0.0", "1e308", "5e-324", "NaN", "inf", "-Infinity", "9" * 400, "1e999"),
    *("9223372036854775807", "9223372036854775808", "0.5", "1,5", "٣", "0x10", "1e15", "1e19"),
    *("\x00", "\ud7ff", "\u202e", "a" * 3_000, "<script>", "[]", "{}", "null", "true", "../../etc"),
    *("~nosuchuser/x", "s3://bucket/x", "file:///etc", "/proc/self/environ", "*", "(" * 500),
    *('[{"join":{"ids":["c1"]}}]', '[{"join":', "Measured", "Over time", "Explain", "A folder"),
)


def _link(group: bytes) -> str:
    return "z1." + urlsafe_b64encode(zlib.compress(group, 9)).rstrip(b"=").decode()


async def _visit(address: str, page: str, query: str) -> list[str]:
    """Open a page by a link as a browser does; return the displayed exceptions."""
    shown: list[str] = []
    asked = BackMsg()
    asked.rerun_script.page_name, asked.rerun_script.query_string = page, query
    async with asyncio.timeout(_TIMEOUT_S), session(address) as visitor:
        await visitor.send(asked.SerializeToString())
        async for data in visitor:
            answer = ForwardMsg.FromString(data if isinstance(data, bytes) else data.encode())
            if answer.WhichOneof("type") == "script_finished":
                break
            element = answer.delta.new_element
            if element.WhichOneof("type") == "exception":
                trace = " ".join(element.exception.stack_trace[-1:])
                shown.append(f"{page}?{query[:300]}: {element.exception.message} {trace}")
    return shown


def _shown(server: Server, visits: list[tuple[str, str]]) -> list[str]:
    """Return the exceptions displayed to these visits, and those in the log."""

    async def all_shown() -> list[str]:
        return list(chain(*[await _visit(server.address, *visit) for visit in visits]))

    before = server.log.stat().st_size
    shown = asyncio.run(all_shown())
    log = server.log.read_bytes()[before:].decode(errors="replace")
    return [*shown, *([log] if "Traceback" in log or "please report" in log else [])]


@pytest.mark.parametrize(
    ("group", "has_every_view"),
    [
        *((name, False) for name in DAILY),
        *(pytest.param(name, True, marks=pytest.mark.proof) for name in GROUPS),
    ],
)
def test_no_page_and_no_view_of_a_hostile_group_shows_an_exception(
    server: Server, group: str, has_every_view: bool
) -> None:
    link = _link(GROUPS[group])
    of_a_group = [state for state in STATES if state[0] not in _WITHOUT_GROUP]
    if not has_every_view:
        of_a_group = [*dict(reversed(of_a_group)).items()]
    visits = [(page, urlencode({"group": link, **choices})) for page, choices in of_a_group]

    assert _shown(server, visits) == []


def _strange_visit(number: int) -> tuple[str, str]:
    drawn = random.Random(number)  # noqa: S311 -- the same visit for the same number
    page, choices = drawn.choice(STATES)
    query = {"group": _link(drawn.choice([*GROUPS.values()]))} if drawn.random() < 0.7 else {}
    query |= choices
    if drawn.random() < 0.3:
        query["rates"] = drawn.choice(
            (
                "a total, spread evenly",
                "a total, spread by lag",
                "measured from an earlier snapshot",
            )
        )
    for name in drawn.sample(NUMBERS, 4) + drawn.sample(CHOICES, 2):
        query[name] = drawn.choice(STRANGE)
    return page, urlencode(query, errors="surrogatepass")


ABSURD: Final = ("1e30", "-1e30", "1e-300")
STATED_PAGES: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("", {}),
    ("rebalance", {"rebalance_view": "Over time"}),
    ("capacity", {}),
    ("autoscaler", {"hours": "2.0"}),
    ("scenarios", {}),
)


_ASKED = {*NUMBERS, *told.CHOICES} - {told.RATES.name, told.JUDGE.name}


def test_absurd_numbers_show_no_exception(server: Server) -> None:
    names_ = _ASKED
    of_speed = (told.CAP, told.SPEED, told.TOTAL, told.HORIZON)
    visits = [
        (page, urlencode({**choices, **dict.fromkeys(names_, value)}))
        for page, choices in STATED_PAGES
        for value in ABSURD
    ] + [("scenarios", urlencode({each.name: value})) for each in of_speed for value in ABSURD]

    assert _shown(server, visits) == []


@pytest.mark.proof
@pytest.mark.parametrize(
    "name", sorted({*NUMBERS, *told.CHOICES} - {told.RATES.name, told.JUDGE.name})
)
def test_no_absurd_number_by_itself_shows_an_exception(server: Server, name: str) -> None:
    visits = [
        (page, urlencode({**choices, name: value}))
        for page, choices in STATED_PAGES
        for value in ABSURD
    ]

    assert _shown(server, visits) == []


@pytest.mark.proof
def test_strange_values_in_links_show_no_exception(server: Server) -> None:
    assert _shown(server, [_strange_visit(number) for number in range(EVERY_DAY)]) == []


@pytest.mark.parametrize(
    ("first", "last"),
    [
        pytest.param(EVERY_DAY, IN_CI, marks=pytest.mark.proof, id="proof"),
        pytest.param(IN_CI, DEEP, marks=pytest.mark.deep, id="deep"),
    ],
)
def test_many_strange_values_in_links_show_no_exception(
    server: Server, first: int, last: int
) -> None:
    assert _shown(server, [_strange_visit(number) for number in range(first, last)]) == []
