"""What a worker process sends to the process that started it."""

from enum import Enum, auto
from multiprocessing.connection import Connection
from typing import Final


class Message(Enum):
    """What a message brings, beside one object."""

    RESULT = auto()
    ERROR = auto()
    TOLD = auto()
    """Words of a function that goes on, as a tuple."""


_listeners: Final[list[Connection]] = []


def tell(*words: object) -> None:
    """Send words to whoever called the function that is running in this worker."""
    for listener in _listeners:
        listener.send((Message.TOLD, words))


def tell_to(listener: Connection) -> None:
    """Let what this process tells go through this connection."""
    _listeners.append(listener)
