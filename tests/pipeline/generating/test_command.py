from argparse import ArgumentParser
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.generating import command as generate


def _run(*arguments: str) -> None:
    parser = ArgumentParser()
    generate.add_arguments(parser)
    generate.main(parser.parse_args(arguments))


def test_what_the_command_line_requests_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(
        *("--output", str(tmp_path), "--shape", "uniform", "--groups", "3", "--rows", "60"),
        *("--snapshots", "2", "--interval", "5m", "--start", "2026-01-01T12:00+01:00"),
    )

    times = pq.read_table(tmp_path)["snapshot_at"].unique().to_pylist()
    noon = datetime(2026, 1, 1, 11, tzinfo=UTC)
    assert times == [noon, noon + timedelta(minutes=5)]
    assert capsys.readouterr().out == f"60 rows of telemetry in {tmp_path}\n"


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--groups", "0", "a whole number of at least 1, found '0'"),
        ("--snapshots", "many", "a whole number of at least 1, found 'many'"),
        ("--interval", "1w", "a time above 0, at most a day, like 30s, 2m, 1h or 1d, found '1w'"),
        ("--interval", "0s", "a time above 0, at most a day, like 30s, 2m, 1h or 1d, found '0s'"),
        ("--start", "noon", "a time such as 2026-03-02T00:00:00Z, found 'noon'"),
    ],
)
def test_an_argument_that_makes_no_sense_is_refused_in_a_sentence(
    option: str, value: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        _run("--output", str(tmp_path), option, value)

    assert f"{option}: expected {expected}" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
