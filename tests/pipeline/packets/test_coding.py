from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.replay.coding import CODED, PLAIN, coded, decoded, joined, one_array, split
from pipeline.packets.dealing import packets
from tests.pipeline.replay.fleets import at

_NAMES = st.none() | st.sampled_from(["", "a", "b", "ä", "a;b"])
_LISTS = st.none() | st.lists(st.sampled_from(["", "a", "b", "ä"]), max_size=3)


@st.composite
def telemetry(draw: st.DrawFn) -> pa.Table:
    def row() -> dict[str, Any]:
        return {
            "cluster": draw(st.sampled_from(["eu", "us"])),
            "group_id": draw(st.sampled_from(["g", "h", "i"])),
            "snapshot_at": draw(st.none() | st.just(at(0))),
            "partition": draw(st.none() | st.integers(0, 9)),
            "committed_offset": draw(st.none() | st.integers(0, 2**62)),
            "file": 0,
            **{name: draw(_NAMES) for name in ("topic", "member_id", "rack", "host")},
            "subscribed_topics": draw(_LISTS),
        }

    return pa.Table.from_pylist([row() for _ in range(draw(st.integers(0, 12)))], PLAIN)


@given(telemetry(), st.integers(1, 4))
def test_coding_loses_nothing_however_the_rows_are_cut(rows: pa.Table, chunks: int) -> None:
    size = -(-rows.num_rows // chunks) or 1
    parts = [coded(rows.slice(start, size)) for start in range(0, rows.num_rows, size)]

    again = coded(pa.concat_tables([*parts, coded(rows.slice(0, 0))]))

    assert again.schema == CODED
    assert decoded(again).equals(rows)


@given(telemetry(), st.integers(1, 7))
def test_every_row_is_dealt_once_and_a_group_to_one_bucket(rows: pa.Table, buckets: int) -> None:
    found: list[dict[str, Any]] = []
    bucket_of: dict[tuple[str, str], int] = {}
    for bucket, content in packets(coded(rows), buckets):
        dealt = decoded(coded(pa.Table.from_batches([content]))).to_pylist()
        assert {bucket_of.setdefault((r["cluster"], r["group_id"]), bucket) for r in dealt} == {
            bucket
        }
        found += dealt

    assert set(bucket_of.values()) <= set(range(buckets))
    assert sorted(found, key=str) == sorted(rows.to_pylist(), key=str)


def test_a_packet_names_what_its_rows_name_and_nothing_else() -> None:
    rows = [{"cluster": "eu", "group_id": f"g{n}", "member_id": f"c{n}"} for n in range(50)]

    found = [content for _, content in packets(coded(pa.Table.from_pylist(rows)), 50)]

    for content in found:
        table = pa.Table.from_batches([content])
        assert table.column_names == ["cluster", "group_id", "member_id"]
        assert len(one_array(table["member_id"]).dictionary) == table.num_rows


def test_a_group_goes_to_the_bucket_it_always_went_to() -> None:
    rows = [{"cluster": "eu", "group_id": f"g{n}"} for n in range(6)]
    plain = pa.Table.from_pylist(rows)

    as_strings = [bucket for bucket, _ in packets(plain, 1000)]
    as_numbers = [bucket for bucket, _ in packets(coded(plain.slice(3)), 1000)]

    assert set(as_numbers) < set(as_strings)
    assert len(as_strings) == 6


def test_a_name_that_a_dictionary_holds_twice_is_one_name() -> None:
    twice = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), pa.array(["a", "a"]))

    found = coded(pa.table({"cluster": twice}))

    assert one_array(found["cluster"]).indices.to_pylist() == [0, 0]


@pytest.mark.parametrize("names", [[], [""], ["", ""], ["a"], ["a", ""], ["", "a"]])
def test_lists_stay_apart_when_joined(names: list[str]) -> None:
    assert split(joined(pa.array([names], pa.list_(pa.string())))) == [names]


def test_a_list_that_holds_a_null_has_no_joined_form() -> None:
    found = joined(pa.array([["a", None], ["a"]], pa.list_(pa.string())))

    assert found.to_pylist() == [None, "a\0"]
