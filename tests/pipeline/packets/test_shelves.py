"""What is laid down on a shelf is taken from it unchanged, by whoever knows the place."""

from pathlib import Path

import pyarrow as pa

from pipeline.replay.coding import NAME
from pipeline.packets.shelves import Kept, keeper, taken


def _batch(*names: str) -> pa.RecordBatch:
    numbers = pa.array(range(len(names)), pa.int64())
    return pa.record_batch({"name": pa.array(names, pa.string()).cast(NAME), "number": numbers})


def _packets(*kept: Kept) -> pa.RecordBatch:
    rows = [{"kind": f"kind {number}", **each._asdict()} for number, each in enumerate(kept)]
    schema = pa.schema(
        [
            ("kind", pa.string()),
            ("message", pa.binary()),
            ("path", pa.string()),
            ("start", pa.int64()),
            ("stop", pa.int64()),
        ]
    )
    return pa.RecordBatch.from_pylist(rows, schema)


def test_messages_of_several_tasks_are_taken_in_any_order(tmp_path: Path) -> None:
    one, other, hand = keeper(tmp_path / "s"), keeper(tmp_path / "s"), keeper(None)
    contents = [_batch("a", "b"), _batch(), _batch("c"), _batch("a", "d", "e"), _batch("f")]
    kept = [keep(batch) for keep, batch in zip([one, other, one, hand, one], contents, strict=True)]

    found = list(taken(_packets(*reversed(kept))))

    assert [kind for kind, _ in found] == [f"kind {number}" for number in range(5)]
    assert [batch.to_pylist() for _, batch in found] == [b.to_pylist() for b in reversed(contents)]
    assert len(list((tmp_path / "s").iterdir())) == 2


def test_a_task_without_rows_leaves_no_file(tmp_path: Path) -> None:
    keeper(tmp_path / "s")

    assert not (tmp_path / "s").exists()
