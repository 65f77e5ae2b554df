"""What Spark and Hadoop leave in the folders of a table on this machine."""

import math
import os
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path


def sweep(root: Path, age: timedelta) -> None:
    """Remove Hadoop's checksums of files that are gone, and empty folders.

    Where something changed within this ``age``, a run may be about to write: Spark fails if a
    folder vanishes that it has just created.
    """
    limit = time.time() - age.total_seconds()
    walked = [(Path(folder), files) for folder, _, files in os.walk(root, topdown=False)]
    for folder, files in [(folder, files) for folder, files in walked if _changed(folder) < limit]:
        for name in files:
            if name.startswith(".") and name.endswith(".crc") and name[1:-4] not in files:
                (folder / name).unlink(missing_ok=True)
        with suppress(OSError):  # it is not empty
            folder.rmdir()


def _changed(folder: Path) -> float:
    """Return when files came to a folder or went, in seconds since 1970; infinity if it is gone."""
    with suppress(FileNotFoundError):
        return folder.stat().st_mtime
    return math.inf
