"""SIGTERM and Ctrl-C as an event, for programs that run until stopped."""

import signal
import threading


def set_at_signals(stop: threading.Event) -> None:
    """Set the event at SIGTERM and Ctrl-C.

    In a thread of its own: a handler may interrupt ``stop.wait`` while that holds the event's lock,
    and setting the event there would wait for the lock for ever.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: threading.Thread(target=stop.set).start())
