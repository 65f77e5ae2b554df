"""Real pastes from public posts, compared with figures counted by hand."""

import csv
import re
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import pytest

from evaluation.reading import Reading
from sources.group_json import encode
from sources.text import read_text
from tests.conftest import SHARED_SAMPLES as _SAMPLES

_FORMATS: Final = {"Prometheus HTTP API (result list only)": "Prometheus HTTP JSON"}
"""Formats that the index describes more precisely than readers do."""


_CORRECTED: Final = {"consumer_groups_describe/16.txt": {"n_unknown_lag": "0"}}
"""A dash beside an end offset of 0 is no unknown lag: the log holds nothing."""
_BLANKS: Final = re.compile(r"[ \t]+")
_TABS: Final[dict[str, Callable[[str], str]]] = {
    "one tab": lambda line: _BLANKS.sub("\t", line),
    "two tabs": lambda line: _BLANKS.sub("\t\t", line),
    "tabs by width": lambda line: "".join(
        re.sub("  +$", "\t", line.expandtabs()[at : at + 8]) for at in range(0, 8 * len(line), 8)
    ),
    "one tab in headers": lambda line: _BLANKS.sub("\t" * (1 + ("TOPIC" not in line)), line),
    "two tabs in headers": lambda line: _BLANKS.sub("\t" * (1 + ("TOPIC" in line)), line),
    "hard blanks": lambda line: line.replace(" ", "\xa0"),
    "thin blanks and tabs": lambda line: _BLANKS.sub("\u2009\t", line),
}


def _index() -> list[dict[str, str]]:
    index = _SAMPLES / "INDEX.tsv"
    if not index.is_file():
        return []
    with index.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@pytest.mark.needs("shared samples")
@pytest.mark.parametrize("expected", _index(), ids=lambda row: row["file"])
def test_every_shared_sample_reads_as_its_index_says(expected: dict[str, str]) -> None:
    text = (_SAMPLES / expected["file"]).read_text(encoding="utf-8")

    found = read_text(text)

    assert {reading.format for reading in found} == {
        _FORMATS.get(expected["format"], expected["format"])
    }
    figures = _figures(found)
    if "kminion" in expected["format"]:
        del figures["n_idle_members"]  # it counts idle members and names no owners
    wanted = {name: expected[name].split()[0] for name in figures if expected[name] != "NA"}
    wanted |= _CORRECTED.get(expected["file"], {})
    assert {name: str(figures[name]) for name in wanted} == wanted


@pytest.mark.needs("shared samples")
@pytest.mark.parametrize("tabs", _TABS)
@pytest.mark.parametrize("file", [row["file"] for row in _index()])
def test_every_shared_sample_reads_the_same_with_other_whitespace(file: str, tabs: str) -> None:
    text = (_SAMPLES / file).read_text(encoding="utf-8")

    rewritten = "\n".join(map(_TABS[tabs], text.split("\n")))

    assert _groups(rewritten) == _groups(text)


def _groups(text: str) -> list[bytes]:
    return [encode(reading.group) for reading in read_text(text)]


@pytest.mark.needs("shared samples")
def test_the_index_lists_every_shared_sample() -> None:
    listed = {row["file"] for row in _index()}

    assert listed == {path.relative_to(_SAMPLES).as_posix() for path in _SAMPLES.glob("*/*.txt")}


def _figures(found: Sequence[Reading]) -> dict[str, int]:
    groups = [reading.group for reading in found]
    return {
        "n_data_rows": sum(reading.rows for reading in found),
        "expected_total_lag": sum(int(group.lags[group.is_lag_known].sum()) for group in groups),
        "n_members": sum(group.member_count for group in groups),
        "n_idle_members": sum(g.member_count - np.unique(g.claims.members).size for g in groups),
        "n_unknown_lag": sum(r.rows - int(r.group.is_lag_known.sum()) for r in found),
        "n_groups_named": sum(bool(group.id) for group in groups),
        "n_topics": len({topic for group in groups for topic in group.topics}),
    }
