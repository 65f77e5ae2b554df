"""A worker process: receives functions with arguments, and returns their results."""

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection

from processes.limits import memory_limit
from processes.messages import Message, tell_to

_NICENESS = 10
"""Lower priority than the server, which serves every visitor."""
_CHECK_EVERY_S = 1.0


def main() -> None:
    """Answer the requests on the connection whose file descriptor is the only argument."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the server, and that ends this
    os.nice(_NICENESS)
    _limit_memory()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with Connection(int(sys.argv[1])) as server:
        tell_to(server)
        while True:
            try:
                function, arguments = server.recv()
            except EOFError:  # the server has ended
                return
            try:
                answer = (Message.RESULT, function(*arguments))
            except Exception as error:  # noqa: BLE001 -- raised again by the server
                answer = (Message.ERROR, error)
            try:
                server.send(answer)
            except ConnectionError:  # the server has ended meanwhile
                return


def _limit_memory() -> None:
    with suppress(ImportError):  # Windows has no such limit
        import resource  # noqa: PLC0415

        most = memory_limit()
        _, allowed = resource.getrlimit(resource.RLIMIT_AS)
        if allowed != resource.RLIM_INFINITY:
            most = min(most, allowed)  # a limit can only be lowered
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _end_with(server: int) -> None:
    """End this process, even in the middle of its work, once the server is gone."""
    while os.getppid() == server:
        time.sleep(_CHECK_EVERY_S)
    os._exit(1)


if __name__ == "__main__":
    main()
