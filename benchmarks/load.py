"""Concurrent visitors: how long an edit of the sample group takes while others edit as well.

Each visitor is a WebSocket session that speaks Streamlit's protocol without a browser, so only the
server is measured. A browser takes another 0.3 s to draw. Every edit has a lag that no cache has,
and has taken as long as its answer: until the page is done, or goes on to refine what it shows.
"""

import argparse
import asyncio
import itertools
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Self

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Origin, Subprotocol
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.dashboard import serving
from benchmarks.measuring import family

_QUERY: Final = "edit=true&table=Lags+and+owners"
_EDITOR: Final = "sheet"
"""Part of the name of the component that shows the partitions table."""
_WHOLE_RUN: Final = ForwardMsg.ScriptFinishedStatus.FINISHED_SUCCESSFULLY
_SMALLEST: Final = 1_003
_STEP: Final = 7
_count: Final = itertools.count()
_WAVE: Final = 50
_PAUSE_S: Final = 130
"""Streamlit discards a session two minutes after its visitor has left."""


def session(address: str) -> connect:
    """Return a connection to a dashboard that never times out, however busy the server is."""
    return connect(
        f"{address.replace('http', 'ws', 1)}/_stcore/stream",
        subprotocols=[Subprotocol("streamlit")],
        origin=Origin(address),
        max_size=None,
        open_timeout=None,
        ping_interval=None,
        close_timeout=0.1,  # a server that is still sending does not answer the farewell
    )


@dataclass
class Visitor:
    """One session: the content of its page and the table it edits."""

    socket: ClientConnection
    editor: str = ""
    table: Mapping[str, Any] = field(default_factory=dict)
    """What the table was last told."""
    texts: dict[tuple[int, ...], str] = field(default_factory=dict)
    """The text at each place of the page."""
    errors: list[str] = field(default_factory=list)
    _number: int = 0
    """The edit whose answer is waited for."""
    _answered: asyncio.Future[float] = field(default_factory=asyncio.Future)
    _at_rest: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    @asynccontextmanager
    async def of(cls, address: str) -> AsyncIterator[Self]:
        """Open the sample group's page with the partition editor."""
        async with session(address) as socket:
            visitor = cls(socket)
            listening = asyncio.create_task(visitor._listen())
            await visitor._run(BackMsg())
            yield visitor
            listening.cancel()

    async def edit(self, lag: int) -> float:
        """Change the lag of the first partition; return the seconds until the answer stands."""
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id = self.editor
        number = self.table["taken"] + 1 if self.table["by"] == "load" else 1
        cell = [self.table["rows"][0][0], "lag", str(lag)]
        operations = [[number, self.table["of"], "set", [cell]]]
        self._number = number
        state.json_value = json.dumps({"log": {"by": "load", "operations": operations}})
        started = time.perf_counter()
        return await self._run(message) - started

    async def rest(self) -> None:
        """Wait until the page has refined all that it shows."""
        await self._at_rest.wait()

    async def _run(self, message: BackMsg) -> float:
        """Send a message; return when it was answered."""
        self._answered = asyncio.get_running_loop().create_future()
        self._at_rest.clear()
        message.rerun_script.query_string = _QUERY
        await self.socket.send(message.SerializeToString())
        return await self._answered

    async def _listen(self) -> None:
        async for data in self.socket:
            answer = ForwardMsg.FromString(data if isinstance(data, bytes) else data.encode())
            kind = answer.WhichOneof("type")
            if kind == "delta":
                self._take(answer)
            is_whole = kind == "script_finished" and answer.script_finished == _WHOLE_RUN
            is_answer = is_whole or answer.delta.new_element.WhichOneof("type") == "progress"
            if is_answer and self._taken() >= self._number:
                if not self._answered.done():
                    self._answered.set_result(time.perf_counter())
                if is_whole:
                    self._at_rest.set()

    def _taken(self) -> int:
        """Return the number of the last edit that the page shows."""
        return int(self.table["taken"]) if self.table["by"] == "load" else 0

    def _take(self, answer: ForwardMsg) -> None:
        element = answer.delta.new_element
        match element.WhichOneof("type"):
            case "bidi_component" if _EDITOR in element.bidi_component.component_name:
                self.editor = element.bidi_component.id
                self.table = json.loads(element.bidi_component.json)
            case "markdown":
                self.texts[tuple(answer.metadata.delta_path)] = element.markdown.body
            case "exception":
                self.errors.append(element.exception.message)


class ServerCost(NamedTuple):
    """What has been spent, and is held."""

    server_s: float
    """CPU seconds of the server's process."""
    all_s: float
    """With its workers."""
    resident_mb: float


@dataclass(frozen=True)
class Visits:
    """Visitors' response times in seconds, and the cost of their edits on the server."""

    openings: list[float]
    edits: list[float]
    per_edit: ServerCost


async def visited(address: str, visitors: int, every_s: float, rounds: int) -> Visits:
    """Open all sessions together; then, in each session in turn, edit once per ``every_s``."""

    async def opened() -> tuple[float, Visitor]:
        started = time.perf_counter()
        visitor = await stack.enter_async_context(Visitor.of(address))
        return time.perf_counter() - started, visitor

    async def edited(number: int, visitor: Visitor) -> list[float]:
        await asyncio.sleep(every_s * number / visitors)
        taken = []
        for _ in range(rounds):
            taken.append(await visitor.edit(fresh_lag()))
            await asyncio.sleep(max(0.0, every_s - taken[-1]))
        return taken

    async with AsyncExitStack() as stack:
        openings = await asyncio.gather(*(opened() for _ in range(visitors)))
        before = spent()
        taken = await asyncio.gather(
            *(edited(number, visitor) for number, (_, visitor) in enumerate(openings))
        )
        after = spent()
    edits = list(itertools.chain.from_iterable(taken))
    waited = [seconds for seconds, _ in openings]
    server_s, all_s = (
        (late - early) / len(edits) for early, late in zip(before[:2], after[:2], strict=True)
    )
    return Visits(waited, edits, ServerCost(server_s, all_s, after.resident_mb))


def spent() -> ServerCost:
    """Return what the server, which this process has started, and its workers have taken."""
    _, server, *workers = family()
    return ServerCost(
        server.cpu_s,
        server.cpu_s + server.ended_cpu_s + sum(each.cpu_s for each in workers),
        server.resident_mb + sum(each.resident_mb for each in workers),
    )


def fresh_lag() -> int:
    """Return a lag that no edit had before."""
    return _SMALLEST + next(_count) * _STEP


async def _visit(address: str) -> None:
    async with Visitor.of(address) as visitor:
        await visitor.edit(fresh_lag())
        await visitor.rest()


def main() -> None:
    """Measure the load and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    add = parser.add_argument
    add("--visitors", type=int, default=20, metavar="N")
    add("--every", type=float, default=10.0, metavar="SECONDS")
    add("--rounds", type=int, default=6, metavar="N", help="edits of each visitor")
    add("--sessions", type=int, default=0, metavar="N", help="then this many, one by one")
    options = parser.parse_args()
    with serving() as address:
        asyncio.run(_visit(address))  # what a server does once, at its start, is not measured
        load = asyncio.run(visited(address, options.visitors, options.every, options.rounds))
        print(f"{options.visitors} visitors, an edit each {options.every:g} s")
        for what, taken in (("open", load.openings), ("edit", load.edits)):
            p50, p95 = np.percentile(taken, (50, 95))
            print(f"{what}: p50 {p50:.2f} s, p95 {p95:.2f} s, {len(taken)} times")
        server_s, all_s, resident_mb = load.per_edit
        print(f"an edit: {server_s:.3f} s of the server's CPU, {all_s:.3f} s with its workers'")
        print(f"server and workers: {resident_mb:.0f} MB")
        for number in range(1, options.sessions + 1):
            asyncio.run(_visit(address))
            if number % _WAVE == 0:
                print(f"after {number} sessions more: {spent().resident_mb:.0f} MB", flush=True)
        if options.sessions:
            time.sleep(_PAUSE_S)
            print(f"{_PAUSE_S} s later: {spent().resident_mb:.0f} MB")


if __name__ == "__main__":
    main()
