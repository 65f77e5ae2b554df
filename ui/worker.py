"""Computations in a process of their own: functions and their arguments in, results out."""

import os
import sys
from multiprocessing.connection import Connection

_NICENESS = 10
"""The server, which answers every visitor, goes first."""


def main() -> None:
    """Answer each request of the connection whose file descriptor is the only argument."""
    os.nice(_NICENESS)
    with Connection(int(sys.argv[1])) as server:
        while True:
            try:
                function, arguments = server.recv()
            except EOFError:  # the server has ended
                return
            try:
                answer = (True, function(*arguments))
            except Exception as error:  # noqa: BLE001 -- raised again by the server
                answer = (False, error)
            server.send(answer)


if __name__ == "__main__":
    main()
