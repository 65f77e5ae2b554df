"""Files of a stream's folder that are there and not yet read.

Spark takes files by their modification times, which tell how files were copied, not what their rows
are of. So the watermark waits until what was there together has been read.
"""

import json
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import unquote

from pyarrow.fs import FileSelector
from pyspark.sql import SparkSession

from pipeline.ingest.files import listed
from pipeline.lake import Lake, opened

_COMPACT: Final = ".compact"


class Arrived(NamedTuple):
    """What a batch brought."""

    files: int
    is_wide: bool
    """Whether its snapshots span more than the lateness."""
    goes_back: bool
    """Whether some lie before those of earlier batches by more than that."""


@dataclass
class Backlog:
    """What a query still has to read before its watermark may move."""

    lake: Lake
    checkpoint: str
    """Of the query, below the output; Spark lists there what it has given to batches."""
    folder: str
    most: int | None
    """The most files of a batch: after a full one more may wait. None if the query takes only what
    was there at its start, so that nothing later is waited for."""
    files: set[str] = field(default_factory=set)
    """The paths found by the last listing, as far as they were unread when last asked."""

    def find(self, spark: SparkSession) -> None:
        """List the folder; raises PipelineError if that cannot be done."""
        self.files = self._listed(spark)
        self._drop_read()

    def remains(self, spark: SparkSession, arrived: Arrived) -> bool:
        """Tell whether files wait that may hold snapshots before those of this batch.

        The folder is listed again after a full batch and one whose rows span more than the
        lateness; at the end of a backlog only if its rows went back in time, lest a stream beside
        busy writers never replays.
        """
        was_waiting = bool(self.files)
        self._drop_read()
        if self.files:  # one that was removed will never be read
            self.files &= self._listed(spark)
        if self.most is not None and not self.files:
            may_wait = arrived.files >= self.most or arrived.is_wide
            if arrived.goes_back if was_waiting else may_wait:
                self.find(spark)
        return bool(self.files)

    def _listed(self, spark: SparkSession) -> set[str]:
        return {plain(file.path) for file in listed(spark, self.folder)}

    def _drop_read(self) -> None:
        if self.files:
            self.files -= _read(self.lake, f"{self.checkpoint}/sources/0")


def _read(lake: Lake, log: str) -> set[str]:
    """Return the paths in Spark's log of a source: the newest compacted file, and those after."""
    store = lake.files()
    names = {
        int(name): info.path
        for info in store.get_file_info(FileSelector(log, allow_not_found=True))
        if (name := info.base_name.removesuffix(_COMPACT)).isdigit()
    }
    first = max((n for n, path in names.items() if path.endswith(_COMPACT)), default=0)
    return {
        plain(unquote(json.loads(line)["path"]))
        for number, path in names.items()
        if number >= first
        for line in opened(store, path).read().decode().splitlines()
        if line.startswith("{")
    }


def plain(path: str) -> str:
    """Return a path with one spelling of its scheme; Spark writes ``file:/a`` and ``file:///a``."""
    scheme, colon, rest = path.partition(":")
    return f"{scheme}{colon}/{rest.lstrip('/')}" if colon else path
