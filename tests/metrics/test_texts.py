"""Exporters' texts as telemetry: with milliseconds, with seconds, as a database is dumped."""

from pathlib import Path

import pytest

from tests.metrics.collected import collect, offsets, rows_in

AT_S = 1_772_409_600  # a full minute
G = 'consumergroup="g",topic="t",partition="0"'
READ, END = "kafka_consumergroup_current_offset", "kafka_topic_partition_current_offset"
EXPOSITION = f"""\
# TYPE {READ} gauge
{READ}{{{G}}} 4 {AT_S}000
{END}{{topic="t",partition="0"}} 9 {AT_S - 20}000
{READ}{{{G}}} 5 {AT_S + 60}000
{END}{{topic="t",partition="0"}} 9 {AT_S + 60}000
other{{a="b"}} 1 {AT_S}000
"""
OPENMETRICS = f"""\
# TYPE {READ} gauge
{READ}{{{G}}} 4 {AT_S}.000
{READ}{{{G}}} 5 {AT_S + 60}
# TYPE {END} gauge
{END}{{topic="t",partition="0"}} 9 {AT_S}
{END}{{topic="t",partition="0"}} 9 {AT_S + 60}
# EOF
"""
DUMP = f"""\
{{__name__="{READ}", consumergroup="g", partition="0", topic="t"}} 4 {AT_S}000
{{__name__="{READ}", consumergroup="g", partition="0", topic="t"}} 5 {AT_S + 60}000
{{__name__="{END}", partition="0", topic="t"}} 9 {AT_S}000
{{__name__="{END}", partition="0", topic="t"}} 9 {AT_S + 60}000
"""


@pytest.mark.parametrize("text", [EXPOSITION, OPENMETRICS, DUMP], ids=["text", "open", "dump"])
def test_each_form_gives_the_same_snapshots(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dev.txt"
    file.write_text(text)

    status, said = collect(tmp_path / "out", "--openmetrics", str(file), capsys=capsys)

    rows = rows_in(tmp_path / "out")
    assert status == 0, said
    assert offsets(rows, AT_S) == {("g", "t", 0): (None, 9, 4)}
    assert offsets(rows, AT_S + 60) == {("g", "t", 0): (None, 9, 5)}
    assert len(rows) == 2
    assert {row["cluster"] for row in rows} == {"dev"}


def test_a_marker_of_staleness_in_a_dump_ends_a_series(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dev.txt"
    file.write_text(DUMP.replace(f"5 {AT_S + 60}000", f"NaN {AT_S + 60}000"))

    collect(tmp_path / "out", "--openmetrics", str(file), capsys=capsys)

    assert len(rows_in(tmp_path / "out")) == 1


def test_a_second_call_writes_nothing_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dev.txt"
    file.write_text(DUMP)
    words = ("--openmetrics", str(file))

    collect(tmp_path / "out", *words, capsys=capsys)
    status, _ = collect(tmp_path / "out", *words, capsys=capsys)

    assert (status, len(rows_in(tmp_path / "out"))) == (0, 2)
