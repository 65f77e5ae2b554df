"""Build the jars in which our strategies run: ``python -m plugins.build``, or ``make plugins``.

``plugins/java/target/kafka-assignments-java.jar`` is for consumers, Java 11 or newer;
``plugins/broker/target/kafka-assignments-broker.jar`` is for brokers, Java 17 or newer. The
machine's javac compiles them; without one, Eclipse's compiler, which the tests use. Kafka's own
jars, which the code is compiled against, come from Maven Central.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from plugins.kafka_jars import NoKafkaError, classpath, java

_FOLDER: Final = Path(__file__).parent
_TIMEOUT_S: Final = 240
_MANIFEST: Final = "META-INF/MANIFEST.MF"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


class Jar(NamedTuple):
    """One jar to build."""

    path: Path
    sources: tuple[Path, ...]
    release: int
    """The oldest Java that it runs on."""

    @property
    def files(self) -> list[Path]:
        """Its sources."""
        return sorted(file for folder in self.sources for file in folder.rglob("*.java"))


_JAVA: Final = _FOLDER / "java/src/main/java"
CONSUMERS: Final = Jar(_FOLDER / "java/target/kafka-assignments-java.jar", (_JAVA,), 11)
BROKERS: Final = Jar(
    _FOLDER / "broker/target/kafka-assignments-broker.jar",
    (_FOLDER / "broker/src/main/java", _JAVA / "kafkaassignments/strategy"),
    17,
)


def build(jar: Jar, javac: str | None) -> Path:
    """Compile the sources, write the jar and return its path; javac None means Eclipse's compiler.

    Equal classes make equal jars: entries are sorted and carry no time. Raises CalledProcessError
    if the sources do not compile, and NoKafkaError if Kafka's jars cannot be fetched.
    """
    with TemporaryDirectory() as folder:
        subprocess.run(  # noqa: S603 - the machine's own Java
            [*_compiler(jar, javac), "-d", folder, *map(str, jar.files)],
            check=True,
            timeout=_TIMEOUT_S,
        )
        jar.path.parent.mkdir(parents=True, exist_ok=True)
        with ZipFile(jar.path, "w") as written:
            for name, content in _entries(Path(folder)):
                written.writestr(ZipInfo(name, _EPOCH), content, ZIP_DEFLATED)
    return jar.path


def _compiler(jar: Jar, javac: str | None) -> Sequence[str]:
    jars = sorted(Path(classpath()).parent.glob("*.jar"))
    against = ["-cp", os.pathsep.join(map(str, jars))]
    if javac is not None:
        return [javac, "--release", str(jar.release), "-Xlint:all,-classfile", *against]
    eclipse = next(str(each) for each in jars if each.name.startswith("ecj-"))
    return [java(), "-jar", eclipse, f"-{jar.release}", "-nowarn", *against]


def _entries(folder: Path) -> Iterator[tuple[str, bytes]]:
    yield _MANIFEST, b"Manifest-Version: 1.0\r\n\r\n"
    for file in sorted(folder.rglob("*.class")):
        yield file.relative_to(folder).as_posix(), file.read_bytes()


def main() -> int:
    """Build both jars and print their paths; return the exit status."""
    try:
        for jar in (CONSUMERS, BROKERS):
            print(build(jar, shutil.which("javac")))  # noqa: T201 - what it made is its output
    except NoKafkaError as error:
        print(f"The jars were not built: {error}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
