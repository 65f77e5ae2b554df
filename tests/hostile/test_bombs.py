"""Small inputs that describe huge groups are refused in a sentence before memory is allocated."""

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from typing import Final

import pytest

from sources import histories, links
from sources.budget import limits_of
from sources.errors import SourceError
from sources.text import read_files, read_text
from tests.sources.test_growth import OFFSETS
from tests.sources.test_links import link_to

MOST_MB: Final = 250
"""One and a half times the largest uncompressed text."""


def _group(partitions: int, topics: int = 1, racks: int = 1) -> str:
    members = [{"id": f"c{k}", "rack": f"r{k}", "topics": ["t0"]} for k in range(racks)]
    sizes = {f"t{k}": partitions for k in range(topics)}
    return json.dumps({"topics": sizes, "members": members})


def _zip(rows: bytes, count: int) -> dict[str, bytes]:
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.csv", "w", force_zip64=True) as table,
    ):
        table.write(b"topic,partition\n")
        for _ in range(count // 1_000):
            table.write(rows * 1_000)
    return {"a.zip": packed.getvalue()}


def _tables(**tables: str) -> dict[str, bytes]:
    return {f"{name}.csv": text.encode() for name, text in tables.items()}


BOMBS: Final[dict[str, tuple[str, Callable[[], object]]]] = {
    "one topic": ("partitions", lambda: read_text(_group(100_000_000))),
    "many topics": ("partitions", lambda: read_text(_group(999_999, topics=100))),
    "racks": ("racks", lambda: read_text(_group(900_000, racks=2_000))),
    "a long name of a topic": (
        "names",
        lambda: links.decode(
            link_to(json.dumps({"topics": {"t" * 9_000: 9_000}, "members": []}).encode())
        ),
    ),
    "a long name of a consumer": (
        "names",
        lambda: read_text(json.dumps({"topics": {"t": 999_999}, "members": [{"id": "c" * 300}]})),
    ),
    "a link": ("partitions", lambda: links.decode(link_to(_group(100_000_000).encode()))),
    "a zip": ("bytes", lambda: read_files(_zip(b"t,0\n", 40_000_000))),
    "a line in a zip": ("characters", lambda: read_files(_zip(b",", 90_000_000))),
    "a topic of CSV": ("partitions", lambda: read_text("topic,partitions\nt,100000000\n")),
    "a partition of CSV": ("partitions", lambda: read_text("topic,partition\nt,99999999\n")),
    "topics for everybody": (
        "subscriptions",
        lambda: read_files(
            _tables(
                t="topic,partitions\n" + "".join(f"t{k},1\n" for k in range(20_000)),
                s="consumer,topic\n" + "".join(f"c{k},*\n" for k in range(20_000)),
            )
        ),
    ),
    "files that are each within it": (
        "partitions",
        lambda: read_files({f"{k}.json": _group(400_000).encode() for k in range(3)}),
    ),
    "groups of a paste": (
        "partitions",
        lambda: read_text(OFFSETS + "".join(f"g{k} t 9999 1 2 1 c /h c\n" for k in range(101))),
    ),
    "snapshots of many groups": (
        "offsets",
        lambda: read_text(
            "".join(
                f"{OFFSETS}g{k} t {partition} 1 2 1 c /h c\n"
                for partition in (0, 9_999)
                for k in range(9)
                for _ in range(100)
            )
        ),
    ),
    "groups of an exporter": (
        "partitions",
        lambda: read_text(
            "".join(
                f'kafka_consumergroup_lag{{consumergroup="g{k}",topic="t",partition="9999"}} 1\n'
                for k in range(101)
            )
        ),
    ),
    "events of a link": ("", lambda: histories.decode(" " * 5_000)),
}


@pytest.mark.parametrize("what", BOMBS)
def test_a_small_input_for_a_huge_group_is_refused_before_memory_is_taken(what: str) -> None:
    limit, read = BOMBS[what]

    tracemalloc.start(1)
    try:
        with pytest.raises(SourceError) as error:
            read()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < MOST_MB * 10**6
    assert f"--limit {limit}=" in str(error.value) if limit else "at most" in str(error.value)


def test_of_json_lines_as_many_groups_are_read_as_one_budget_holds() -> None:
    readings = read_text(f"{_group(400_000)}\n" * 60)

    assert [reading.group.partition_count for reading in readings] == [400_000] * 2
    assert len(readings[0].ignored) == 58


def test_of_many_snapshots_of_a_large_group_a_few_are_kept() -> None:
    tracemalloc.start(1)
    try:
        tables = (f"{OFFSETS}g t 999999 1 {2 + k} {1 + k} c /h c\n" for k in range(50))
        (reading,) = read_text("".join(tables))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < MOST_MB * 10**6
    assert reading.history is not None
    assert len(reading.history.moments) == 2


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("partitions=100", _group(101)),
        ("members=2", _group(1, racks=3)),
        ("rows=2", "topic,partition\nt,0\nt,1\nt,2\n"),
        ("rows=2", "topic,partition\n\nt,0\n\n"),
        ("characters=17", f"topic,partition\n{'t' * 15},0\n"),
        ("groups=1", f"{_group(1)}\n" * 2),
    ],
)
def test_the_command_line_sets_each_limit(limit: str, text: str) -> None:
    with pytest.raises(SourceError, match=f"--limit {limit.partition('=')[0]}=N raises"):
        read_text(text, limits_of([limit]))

    name, _, most = limit.partition("=")
    assert read_text(text, limits_of([f"{name}={int(most) + 1}"]))
