"""The server: the tools over standard input and output, each call within the page's limits."""

import os
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from assignors import __version__
from assistant.tools import TOOLS, rank_fleet
from evaluation.wording import sentence
from processes.calls import StoppedError, call
from sources.fleet.location import ROOT, is_asked_over_the_network

_ABOUT: Final = (
    "Answers for people who run Apache Kafka: who would own which partitions of a consumer group, "
    "and how much lag, under every assignment strategy. Predictions follow the clients' and "
    "brokers' own algorithms; what is a guess or drawn by chance is marked as such. Nothing is "
    "changed anywhere, and no cluster is contacted."
)


def server() -> MCPServer:
    """Return the server with every tool."""
    made = MCPServer(
        "kafka-assignments", instructions=_ABOUT, version=__version__, log_level="WARNING"
    )
    for tool in TOOLS:
        made.add_tool(_limited(tool), annotations=_annotations(tool))
    return made


def _annotations(tool: Callable[..., Any]) -> ToolAnnotations:
    """Say that a tool only reads, and whether other hosts are asked: a bucket's, for tables."""
    root = os.environ.get(ROOT)
    return ToolAnnotations(
        read_only_hint=True,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=tool is rank_fleet and is_asked_over_the_network(root),
    )


def main() -> int:
    """Serve until standard input ends."""
    server().run("stdio")
    return 0


def _limited(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return the tool, run in a process that is limited in time and memory."""

    @wraps(tool)
    def answer(**given: Any) -> Any:  # noqa: ANN401 -- the tool's own
        try:
            return call(partial(tool, **given))
        except (ValueError, StoppedError) as error:
            raise ToolError(sentence(str(error))) from error

    return answer
