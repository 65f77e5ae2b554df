"""A computation ends when its visitor clicks or leaves, and when its server ends."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection

from benchmarks.dashboard import serving
from benchmarks.load import session
from processes.limits import TIME_LIMIT
from tests.patience import await_
from tests.pipeline.processes import alive
from tests.ui.lingering import APP, QUEUE, READING

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a page that waits for a computation without a time limit."""
    monkeypatch.setenv(TIME_LIMIT, "600")
    app = tmp_path / "page.py"
    app.write_text(APP.format(root=str(ROOT), folder=str(tmp_path)))
    with serving(app=str(app)) as address:
        yield address


@pytest.mark.slow
def test_the_process_ends_when_its_visitor_clicks_on_or_leaves(
    address: str, tmp_path: Path
) -> None:
    async def visit() -> tuple[int, int]:
        async with session(address) as visitor:
            opened = BackMsg()
            opened.rerun_script.query_string = ""
            await visitor.send(opened.SerializeToString())
            first = await asyncio.to_thread(_started, tmp_path, ())
            await visitor.send(opened.SerializeToString())  # like any click
            return first, await asyncio.to_thread(_started, tmp_path, (first,))

    first, second = asyncio.run(visit())

    _ends(first)  # after the click
    _ends(second)  # after leaving


@pytest.mark.slow
def test_reading_a_large_paste_ends_when_its_page_is_closed(tmp_path: Path) -> None:
    app = tmp_path / "page.py"
    app.write_text(READING.format(root=str(ROOT), folder=str(tmp_path)))

    async def visit(address: str) -> int:
        async with session(address) as visitor:
            opened = BackMsg()
            opened.rerun_script.query_string = ""
            await visitor.send(opened.SerializeToString())
            return await asyncio.to_thread(_started, tmp_path, ())

    with serving(app=str(app)) as address:
        process = asyncio.run(visit(address))
        _ends(process)


@pytest.mark.slow
def test_three_closed_tabs_with_large_pastes_do_not_keep_another_from_its_own(
    tmp_path: Path,
) -> None:
    app = tmp_path / "page.py"
    app.write_text(QUEUE.format(root=str(ROOT), folder=str(tmp_path)))

    async def ask(visitor: ClientConnection, query: str) -> None:
        opened = BackMsg()
        opened.rerun_script.query_string = query
        await visitor.send(opened.SerializeToString())

    async def visit(address: str) -> str:
        async with session(address) as first, session(address) as other, session(address) as third:
            for visitor in (first, other, third):
                await ask(visitor, "large=1")
            await asyncio.to_thread(_started, tmp_path, ())
        async with session(address) as visitor:
            await ask(visitor, "")
            async for data in visitor:
                frame = ForwardMsg.FromString(data if isinstance(data, bytes) else data.encode())
                text: str = frame.delta.new_element.text.body
                if text:
                    return text
                if frame.WhichOneof("type") == "script_finished":
                    break
        return "refused"

    with serving(app=str(app)) as address:
        assert asyncio.run(visit(address)) == "200,000 letters"


@pytest.mark.slow
def test_the_process_ends_when_its_server_is_killed(tmp_path: Path) -> None:
    program = (
        "from tests.ui.lingering import linger; from ui import workers; "
        f"workers.run(linger, {str(tmp_path)!r})"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=ROOT) as server:  # noqa: S603 -- our own program
        process = _started(tmp_path, ())
        server.kill()

    _ends(process)


def _started(folder: Path, known: tuple[int, ...]) -> int:
    """Return the next process that starts."""
    new: set[int] = set()

    def has_started() -> bool:
        new.update(int(each.name) for each in folder.iterdir() if each.name.isdecimal())
        new.difference_update(known)
        return bool(new)

    await_(has_started)
    return new.pop()


def _ends(process: int) -> None:
    await_(lambda: not alive({process}))
