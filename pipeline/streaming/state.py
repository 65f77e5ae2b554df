"""How far a stream is: a small file inside the version of the tables that it belongs to."""

from pathlib import Path
from typing import Final

import msgspec

from pipeline.errors import PipelineError

NAME: Final = "stream.json"
"""Beside the tables of a version; a version without it was not written by a stream."""


class StreamState(msgspec.Struct, frozen=True, kw_only=True):
    """What the next micro-batch must know of those before; sums run over all of them."""

    strategies: tuple[str, ...]
    query: str = ""
    """Which checkpoint the batch numbers belong to."""
    batch: int = -1
    """The last one whose rows are in the tables."""
    rows_in: int = 0
    rows_used: int = 0
    """Settled: they will not be looked at again."""
    rows_rejected: int = 0
    rows_pending: int = 0
    """In the tables for now; they are replayed anew until they settle."""
    offsets_backwards: int = 0

    def check(self) -> None:
        """Raise PipelineError unless every row that came in is in one place."""
        placed = self.rows_used + self.rows_rejected + self.rows_pending
        if placed != self.rows_in:
            message = (
                f"{self.rows_in:,} rows came in, but {self.rows_used:,} were used, "
                f"{self.rows_rejected:,} rejected and {self.rows_pending:,} are pending; nothing "
                "was published. This is a fault of the pipeline: please report it."
            )
            raise PipelineError(message)


def state_in(version: Path | None, strategies: tuple[str, ...]) -> StreamState:
    """Return the state of a version, a fresh one if there is none yet.

    Raises PipelineError if the tables are not a stream's, or were made for other strategies.
    """
    if version is None:
        return StreamState(strategies=strategies)
    file = version / NAME
    if not file.exists():
        message = (
            f"The tables in {version.parent.parent} were written by a run, not by a stream; give "
            "another --output."
        )
        raise PipelineError(message)
    state = msgspec.json.decode(file.read_bytes(), type=StreamState)
    if state.strategies != strategies:
        message = (
            f"The stream in {version.parent.parent} replays {', '.join(state.strategies)}; go on "
            "with these --strategies, or give another --output."
        )
        raise PipelineError(message)
    return state


def write_state(version: Path, state: StreamState) -> None:
    """Put the state into a version that is about to be published."""
    (version / NAME).write_bytes(msgspec.json.encode(state))
