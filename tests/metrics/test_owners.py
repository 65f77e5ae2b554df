"""Owners that a text gives, joined to metrics that only count consumers."""

import json
from pathlib import Path

import pytest

from tests.metrics.collected import Row, at, collect, rows_in

SCRAPES = {60: 2.0, 120: 2.0, 180: 3.0}
"""How many consumers are counted at each time."""
GROUP = {
    "id": "loader",
    "topics": {"rows": {"partitions": 2}},
    "members": [
        {
            "id": "c-1-aa",
            "client_id": "c-1",
            "topics": ["rows"],
            "owned": [["rows", 0], ["rows", 1]],
        },
        {"id": "c-2-bb", "client_id": "c-2", "topics": ["rows"], "owned": [], "rack": "b"},
    ],
    "hosts": {"c-1-aa": "/10.0.0.1"},
}


@pytest.fixture
def scrapes(tmp_path: Path) -> Path:
    """Return what an exporter told three times."""
    lines = []
    for at_s, members in SCRAPES.items():
        of = 'consumergroup="loader"'
        for partition in (0, 1):
            cell = f'topic="rows",partition="{partition}"'
            lines.append(f"kafka_consumergroup_current_offset{{{of},{cell}}} {at_s} {at_s}")
            lines.append(f"kafka_topic_partition_current_offset{{{cell}}} {at_s + 5} {at_s}")
        lines.append(f"kafka_consumergroup_members{{{of}}} {members} {at_s}")
    text = tmp_path / "scrapes.txt"
    text.write_text("\n".join(sorted(lines)) + "\n# EOF\n")
    return text


def given(tmp_path: Path, *groups: object) -> Path:
    file = tmp_path / "owners.jsonl"
    file.write_text("".join(f"{json.dumps(group)}\n" for group in groups))
    return file


def rows_at(rows: list[Row], at_s: int) -> list[tuple[object, ...]]:
    found = [row for row in rows if at(row["snapshot_at"]) == at_s]
    names = ("partition", "member_id", "host", "rack", "ownership")
    return [tuple(row.get(name) for name in names) for row in found]


def test_given_owners_count_where_as_many_consumers_are_counted(
    tmp_path: Path, scrapes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--openmetrics", str(scrapes), "--owners", str(given(tmp_path, GROUP)))
    status, said = collect(tmp_path / "out", *words, capsys=capsys)

    assert status == 0, said
    assert "loader" in said.splitlines()[-1]
    rows = rows_in(tmp_path / "out")
    for at_s in (60, 120):
        assert rows_at(rows, at_s) == [
            (0, "c-1-aa", "/10.0.0.1", None, None),
            (1, "c-1-aa", "/10.0.0.1", None, None),
            (None, "c-2-bb", None, "b", None),
        ]
    assert [row["subscribed_topics"] for row in rows if row.get("member_id") == "c-2-bb"] == [
        ["rows"],
        ["rows"],
    ]
    assert rows_at(rows, 180) == [
        (0, None, None, None, "not-told"),
        (1, None, None, None, "not-told"),
        *((None, f"member-{k}", None, None, "not-told") for k in (1, 2, 3)),
    ]


def test_subscriptions_that_were_inferred_are_not_given(
    tmp_path: Path, scrapes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    group = GROUP | {"assumed": {"subscriptions": "all", "racks_unknown": True}}
    words = ("--openmetrics", str(scrapes), "--owners", str(given(tmp_path, group)))
    collect(tmp_path / "out", *words, capsys=capsys)

    assert not any("subscribed_topics" in row for row in rows_in(tmp_path / "out"))


@pytest.mark.parametrize(
    ("groups", "told"),
    [
        ([GROUP, GROUP], ("line 2", "second time")),
        ([GROUP | {"members": []}], ("line 1", "does not tell")),
        ([GROUP | {"unknown_owners": {"rows": [1]}}], ("line 1", "does not tell")),
        (["a text"], ("line 1", "assign.py --convert")),
        (
            [GROUP | {"members": [{"id": k, "owned": [["rows", 0]]} for k in "ab"]}],
            ("line 1", "rows-0"),
        ),
    ],
)
def test_what_gives_no_owners_is_refused_with_its_place(
    tmp_path: Path,
    scrapes: Path,
    groups: list[object],
    told: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--openmetrics", str(scrapes), "--owners", str(given(tmp_path, *groups)))
    status, said = collect(tmp_path / "out", *words, capsys=capsys)

    assert status
    assert all(part in said for part in told)
    assert not (tmp_path / "out").exists() or not rows_in(tmp_path / "out")
