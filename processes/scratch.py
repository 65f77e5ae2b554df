"""Temporary folders that their process keeps locked, so that others see whether it is alive."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

_LOCK: Final = "owner.lock"


class Scratch:
    """A temporary folder of this process, until it is removed or the process ends."""

    def __init__(self, prefix: str) -> None:
        """Create a folder, after removing those of this prefix whose processes are gone."""
        sweep(prefix)
        self.folder = Path(tempfile.mkdtemp(prefix=prefix))
        self._lock = os.open(self.folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        _is_locked(self._lock)  # until this process ends, however it does

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(OSError):  # removed before
            os.close(self._lock)


def sweep(prefix: str) -> None:
    """Remove the folders of processes that ended without doing so themselves."""
    for file in Path(tempfile.gettempdir()).glob(f"{prefix}*/{_LOCK}"):
        with suppress(OSError):  # another user's, or removed meanwhile
            lock = os.open(file, os.O_RDWR)
            try:
                if _is_locked(lock):
                    shutil.rmtree(file.parent, ignore_errors=True)
            finally:
                os.close(lock)


def _is_locked(lock: int) -> bool:
    """Lock a file unless it is locked; return whether that succeeded."""
    try:
        import fcntl  # noqa: PLC0415 -- POSIX alone has it
    except ImportError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
