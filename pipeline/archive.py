"""Spark's classes as Java has read and checked them, kept in a file for its later starts.

Java calls it a dynamic class-data archive (JEP 350): a Java that is told to writes one when it
ends, another maps it into its memory, instead of reading and verifying 20,000 classes.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

import pyspark

from pipeline.java import Java, user_cache

_CLASS_PATH: Final = (
    "SPARK_HOME",
    "SPARK_CONF_DIR",
    "SPARK_DIST_CLASSPATH",
    "HADOOP_CONF_DIR",
    "YARN_CONF_DIR",
)
"""The variables from which Spark makes the class path, which an archive must match."""
_HEAD_BYTES: Final = 4


@dataclass(frozen=True)
class Archive:
    """The archive for one Java, one Spark and one choice of settings, there or not."""

    folder: Path | None
    """The user's cache; None where there is none."""
    key: str
    """Differs where an archive would not fit."""

    @classmethod
    def of(
        cls, java: Java, settings: Sequence[str], environ: Mapping[str, str] = os.environ
    ) -> Self:
        """Return the archive for a Java that starts with ``settings``."""
        spark = (pyspark.__version__, str(Path(pyspark.__file__).parent))
        variables = [environ.get(name, "") for name in _CLASS_PATH]
        parts = (str(java.home), java.build, *spark, *settings, *variables)
        return cls(user_cache(environ), sha256("\0".join(parts).encode()).hexdigest()[:16])

    def found(self) -> Path | None:
        """Return the file, if it is there and whole.

        Its size is part of its name, for Java looks at no size, and breaks down over a file
        that was cut short.
        """
        files = sorted(self.folder.glob(f"spark-{self.key}-*.jsa")) if self.folder else []
        whole = (file for file in files if file == self._place(file))
        return next(whole, None)

    def options(self) -> list[str]:
        """Return what Java must be told to use it; nothing where it is not there.

        Java compares the checksums in it, a tenth of a second; if one is wrong, or Java finds
        another reason not to use the file, it says nothing and reads the classes itself.
        """
        file = self.found()
        if not file:
            return []
        return [
            "-Xlog:cds*=off",
            "-XX:+VerifySharedSpaces",
            quoted(f"-XX:SharedArchiveFile={file}"),
        ]

    def keep(self, written: Path) -> Path | None:
        """Move what Java has written, on the same disk, to its place; None if it is not whole.

        Java writes the head of the file last, and leaves zeros there until then.
        """
        try:
            with written.open("rb") as file:
                is_whole = any(file.read(_HEAD_BYTES))
        except FileNotFoundError:
            return None
        return written.replace(self._place(written)) if is_whole else None

    def _place(self, file: Path) -> Path:
        """Return where a file of this size belongs."""
        name = f"spark-{self.key}-{file.stat().st_size}.jsa"
        return Path(self.folder or file.parent, name)


def quoted(option: str) -> str:
    r"""Return an option of Java as Spark's settings hold it, where blanks separate options.

    >>> print(quoted('-Da=b c"'))
    "-Da=b c\""
    """
    escaped = option.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
