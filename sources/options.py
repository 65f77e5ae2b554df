"""What a command line asks for, checked and looked up."""

from dataclasses import dataclass
from datetime import timedelta

from assignors.strategy import Strategy
from evaluation.answering.given import Statements


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of the command line; None, or nothing, where one is not given."""

    file: str
    """The file to read; "-" is the standard input."""
    strategies: tuple[Strategy, ...]
    client: str | None
    subscriptions: str | None
    """Either ``all`` or ``owned``."""
    answer: bool
    scaled_object: str | None
    """The text of a ScaledObject."""
    pods: int | None
    convert: bool
    outlook: bool
    all_answers: bool
    stated: Statements
    """``runs`` is a strategy of some client, by our name or its own."""
    more: int
    without: tuple[str, ...]
    threads: int
    settings: dict[str, float]
    """Of a group that is no consumer group."""
    release: tuple[int, int] | None
    topology: str | None
    """The text of ``Topology#describe()``, for Streams groups."""
    limit: tuple[str, ...]
    """As NAME=N."""
    bootstrap_server: str | None
    group: tuple[str, ...]
    command_config: str | None
    """The text of a file of client properties."""
    connect_url: str | None
    list_groups: bool
    timeout: timedelta
