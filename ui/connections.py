"""What uvicorn leaves to others: connections that ask nothing, and answers that wait.

uvicorn waits for the head of a first request for ever, and for a browser that does not read. Each
costs an open file, and once none is left, nobody comes in and the loop is busy with refusals.
asyncio lets Nagle's algorithm hold back the second packet of every answer, some 40 ms each.
"""

import asyncio
import logging
import socket
from typing import Any, Final, Protocol

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from processes.limits import open_files
from ui.log_lines import MinuteLog

HEAD_S: Final = 10.0
"""A whole head follows its connection at once; nobody waits longer for one."""
UNREAD_S: Final = 120.0
"""So long a browser may read nothing of an answer."""
_PART_OF_FILES: Final = 4
"""One in this many open files may be a connection; sessions and their scripts take the others."""


class _Cycle(Protocol):
    """A request and its answer."""

    response_complete: bool


class Connection(Protocol):
    """What uvicorn's protocols know of a connection."""

    transport: asyncio.Transport
    cycle: _Cycle | None
    """The newest request whose head is here."""


class Connections:
    """The HTTP connections of one server."""

    def __init__(
        self, most: int | None = None, head_s: float = HEAD_S, unread_s: float = UNREAD_S
    ) -> None:
        """Begin with none."""
        self._most = max(open_files() // _PART_OF_FILES, 1) if most is None else most
        self._head_s, self._unread_s = head_s, unread_s
        self._open: dict[Connection, None] = {}
        self._log = MinuteLog(logging.getLogger(__name__))

    def begin(self, connection: Connection) -> None:
        """Watch a new connection; without room, the first that asks nothing ends, or else it."""
        if len(self._open) >= self._most:
            self._log.write(f"All {self._most} places for connections were taken; one was freed.")
            self._end(next(filter(_asks_nothing, self._open), connection))
        if not connection.transport.is_closing():
            self._open[connection] = None
            self._expect_head(connection)

    def lose(self, connection: Connection) -> None:
        """Forget a connection that has ended, or has become a WebSocket."""
        self._open.pop(connection, None)

    def _end(self, connection: Connection) -> None:
        self._open.pop(connection, None)
        connection.transport.abort()

    def _expect_head(self, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(self._head_s, self._check_head, connection, connection.cycle)

    def _check_head(self, connection: Connection, earlier: _Cycle | None) -> None:
        """End a connection that has begun no request since the check before."""
        if connection not in self._open:
            return
        if connection.cycle is earlier and _asks_nothing(connection):
            self._end(connection)
        elif unread := connection.transport.get_write_buffer_size():
            loop = asyncio.get_running_loop()
            loop.call_later(self._unread_s, self._check_unread, connection, unread)
        else:
            self._expect_head(connection)

    def _check_unread(self, connection: Connection, earlier: int) -> None:
        if connection not in self._open:
            return
        if connection.transport.get_write_buffer_size() == earlier:
            self._end(connection)
        else:
            self._expect_head(connection)


def _asks_nothing(connection: Connection) -> bool:
    is_answered = connection.cycle is None or connection.cycle.response_complete
    return is_answered and not connection.transport.get_write_buffer_size()


def watch(connections: Connections | None = None) -> None:
    """Watch every HTTP connection that this process accepts from now on.

    uvicorn has no setting for it, and Streamlit none for uvicorn's protocol.
    """
    places = connections or Connections()
    protocol: Any = AutoHTTPProtocol
    made, upgraded = protocol.connection_made, protocol.handle_websocket_upgrade
    lost = protocol.connection_lost

    def begin(self: Connection, transport: asyncio.Transport) -> None:
        _send_at_once(transport)
        made(self, transport)
        places.begin(self)

    def upgrade(self: Connection, *event: object) -> None:
        places.lose(self)
        upgraded(self, *event)

    def lose(self: Connection, error: Exception | None) -> None:
        places.lose(self)
        lost(self, error)

    protocol.connection_made = begin
    protocol.handle_websocket_upgrade = upgrade
    protocol.connection_lost = lose


def _send_at_once(transport: asyncio.Transport) -> None:
    """Turn Nagle's algorithm off, as asyncio does for sockets that name their protocol.

    Streamlit's does not, so that the body of an answer, or the next message of a run, would wait
    until the browser has acknowledged the packet before.
    """
    opened: socket.socket | None = transport.get_extra_info("socket")
    if opened is not None and opened.family in {socket.AF_INET, socket.AF_INET6}:
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
