"""Ports for servers that start a little later than their port is chosen."""

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from typing import Final

HOST: Final = "127.0.0.1"
_FIRST, _LAST = 10_000, 32_000
"""Below those that systems give to connections going out, one of which could take the port before
the server starts, or while it is restarted."""
_OF_A_PROCESS: Final = 50
"""So that processes which choose at the same time choose different ones."""


def _candidates() -> Iterator[int]:
    ports = range(_FIRST, _LAST)
    start = os.getpid() * _OF_A_PROCESS % len(ports)
    return cycle([*ports[start:], *ports[:start]])


_PORTS: Final = _candidates()


def free_port() -> int:
    """Return a free port of this machine, a different one at each call."""
    while True:
        port = next(_PORTS)
        with suppress(OSError), socket.create_server((HOST, port)):
            return port
