"""Files of vectors, and whether our answer to each line is Kafka's."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.kinds import connect, share, streams_broker, streams_classic

GOLDEN: Final = Path(__file__).parent / "golden"
"""The committed vectors."""


class Score(NamedTuple):
    """How many lines of a file are answered as by Kafka."""

    name: str
    right: int
    total: int
    wrong: tuple[str, ...]
    """The names of the other lines."""

    @property
    def is_perfect(self) -> bool:
        return self.total > 0 and not self.wrong


def score(file: Path) -> Score:
    """Compare every line of a file."""
    records = list(records_of(file))
    wrong = [str(each.get("name")) for each in records if not agrees(each, file.name)]
    return Score(file.name, len(records) - len(wrong), len(records), tuple(wrong))


def records_of(file: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a file, which may be compressed."""
    data = file.read_bytes()
    text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    yield from (json.loads(line) for line in text.decode().splitlines() if line.strip())


def agrees(record: Mapping[str, Any], name: str) -> bool:
    """Return whether our answer is the recorded one; the file's name tells an older release."""
    if "rounds" in record:
        return connect.agrees(record)
    if "num_standby_replicas" in record:
        return streams_broker.agrees(record, "4.3" if is_of("4.3", name, record) else "4.4")
    if "processes" in record:
        return streams_classic.agrees(record)
    if "topics" in record:
        return share.agrees(record, "4.1" if is_of("4.1", name, record) else "4.2")
    message = f"{name}: no kind of group has the fields {', '.join(record)}"
    raise ValueError(message)


def is_of(release: str, name: str, record: Mapping[str, Any]) -> bool:
    """Return whether a line is of this older release: by the file's name, or by its own.

    Files are named "share-simple-4.1", lines of 4.1.1 "share-simple-411…", the seed's digits.
    """
    pattern = "-" + release.replace(".", "[.]?")
    if name.partition(".")[0] in {"share-simple", "streams-sticky"}:
        return False
    return re.search(pattern, name) is not None or (
        re.search(rf"{pattern}\d{{0,2}}-", str(record.get("name"))) is not None
    )
