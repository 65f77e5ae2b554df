"""Files whose rows were in the tables when a stream started first."""

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.fs import FileType

from pipeline.backlog import plain
from pipeline.lake import Lake, opened


def known_files(lake: Lake, checkpoint: str) -> frozenset[str]:
    """Return the paths of files that a new query leaves out, as ``run`` has read them.

    They are found at its first start and kept beside its ``checkpoint``: what a later ``run``
    rebuilds says nothing of them.
    """
    store, kept = lake.files(), f"{checkpoint}.parquet"
    known, started = store.get_file_info([kept, f"{checkpoint}/metadata"])  # which Spark writes
    if known.type != FileType.NotFound:
        return frozenset(pq.read_table(opened(store, kept))["file"].to_pylist())
    newest = lake.latest() if started.type == FileType.NotFound else None
    if newest is None:
        return frozenset()
    names: set[str] = set()
    for table in ("telemetry", "rejected"):
        rest = "WHERE file NOT LIKE 'kafka:%'"
        found = lake.selected(table, newest["versions"][table], "DISTINCT file", rest)
        names.update(found["file"].to_pylist())
    paths = frozenset(plain(f"file:{name}" if name.startswith("/") else name) for name in names)
    store.create_dir(checkpoint.rpartition("/")[0])
    with store.open_output_stream(kept) as file:
        pq.write_table(pa.table({"file": pa.array(sorted(paths), pa.string())}), file)
    return paths
