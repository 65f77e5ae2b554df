from pathlib import Path

import pytest

from pipeline.errors import PipelineError
from pipeline.streaming.state import StreamState, state_in, write_state

STRATEGIES = ("range", "sticky")


def version(tmp_path: Path) -> Path:
    folder = tmp_path / "_versions" / "000001-aa"
    folder.mkdir(parents=True)
    return folder


def test_a_stream_begins_before_its_first_batch() -> None:
    state = state_in(None, STRATEGIES)

    assert (state.query, state.batch, state.rows_in) == ("", -1, 0)


def test_a_stream_goes_on_where_its_version_says(tmp_path: Path) -> None:
    state = StreamState(strategies=STRATEGIES, query="q", batch=3, rows_in=7, rows_used=7)
    write_state(version(tmp_path), state)

    assert state_in(tmp_path / "_versions" / "000001-aa", STRATEGIES) == state


def test_tables_of_a_run_are_not_gone_on_with(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match="were written by a run, not by a stream"):
        state_in(version(tmp_path), STRATEGIES)


def test_a_stream_keeps_its_strategies(tmp_path: Path) -> None:
    write_state(version(tmp_path), StreamState(strategies=STRATEGIES))

    with pytest.raises(PipelineError, match="replays range, sticky; go on with these"):
        state_in(tmp_path / "_versions" / "000001-aa", ("range",))


def test_a_row_that_is_nowhere_stops_the_stream() -> None:
    whole = StreamState(
        strategies=STRATEGIES, rows_in=10, rows_used=6, rows_rejected=1, rows_pending=3
    )
    whole.check()
    lost = StreamState(strategies=STRATEGIES, rows_in=10, rows_used=6, rows_rejected=1)

    with pytest.raises(PipelineError, match="10 rows came in, but 6 were used, 1 rejected and 0"):
        lost.check()
