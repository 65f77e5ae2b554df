"""Texts that end within a row, at each of its characters: what is read is so, the rest unknown."""

import pytest

from assignors.model import UNOWNED
from evaluation.reading import Reading
from sources.text import read_text

_FIRST = "app-1-5f3c1c2e-6a6e-4a43-9d8e-1f2e3d4c5b6a"
_SECOND = "app-2-7a3c1c2e-6a6e-4a43-9d8e-1f2e3d4c5b6a"
_HEADER = (
    "GROUP  TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID"
)
_ROW = "pay    orders  {}  {}  {}  {}  {}  /10.0.0.1  app"
_OTHERS = "\n".join(
    (_HEADER, _ROW.format(0, 100, 110, 10, _FIRST), _ROW.format(1, 200, 200, 0, _FIRST))
)


def _owner_of(reading: Reading, partition: int) -> str | None:
    group = reading.group
    owner = int(group.present_owners[partition])
    if owner != UNOWNED:
        return group.members[owner]
    return None if group.is_owner_unknown[partition] else "nobody"


@pytest.mark.slow
@pytest.mark.parametrize("owner", [_FIRST, _SECOND])
def test_no_end_of_a_text_makes_another_owner_lag_or_member(owner: str) -> None:
    last = _ROW.format(2, 3000, 3100, 100, owner)

    for end in range(last.index("3000") + 1, len(last)):
        (reading,) = read_text(f"{_OTHERS}\n{last[:end]}")
        group = reading.group

        assert set(group.members) <= {_FIRST, owner}, last[:end]
        assert reading.assumed.members_unknown == (end < len(last) - len("pp"))
        if group.partition_count > 2:
            assert _owner_of(reading, 2) in {owner, None}
            assert not group.is_lag_known[2] or group.lags[2] == 100


@pytest.mark.parametrize(("shown", "owner"), [("app-1-5f3c1c2e", _FIRST), ("app-1-5f3c1c2", None)])
def test_behind_the_first_block_of_a_random_id_its_rest_is_sure(
    shown: str, owner: str | None
) -> None:
    (reading,) = read_text(f"{_OTHERS}\n{_ROW[: _ROW.rindex('{}')].format(2, 7, 9, 2)}{shown}")

    assert _owner_of(reading, 2) == owner


def test_a_row_that_ends_in_its_partition_is_left_out() -> None:
    text = "Group | Topic | Partition | Lag\npay | orders | 0 | 5\npay | orders | 1"

    (reading,) = read_text(text)

    assert reading.group.lags.tolist() == [5]


def test_a_member_that_was_cut_off_is_said_to_be_missing() -> None:
    text = (
        "GROUP  CONSUMER-ID  HOST  CLIENT-ID  #PARTITIONS  ASSIGNMENT\n"
        f"pay    {_FIRST}  /10.0.0.1  app-1  2  orders(0,1)\npay    {_SECOND[:12]}"
    )

    (reading,) = read_text(text)

    assert reading.group.members == (_FIRST,)
    assert reading.assumed.members_unknown
    assert any("Line 3: the text ends within this row" in note for note in reading.notes)


def test_a_row_without_an_owner_among_others_is_whole() -> None:
    text = (
        "TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST\n"
        f"orders 0 10 20 10 {_FIRST} app-1 10.0.0.1\norders 1 10 20 10\norders 2 10 20 10\n"
    )

    (reading,) = read_text(text)

    assert [_owner_of(reading, p) for p in (1, 2)] == ["nobody", "nobody"]
    assert not reading.assumed.members_unknown


@pytest.mark.parametrize("name", ["...", "\u2026", "***", "<redacted>", "[REDACTED]", "xxxx"])
def test_a_name_that_was_cut_out_is_nobodys_and_may_be_several(name: str) -> None:
    rows = [_ROW.format(n, 5, 9, 4, owner) for n, owner in enumerate((name, _FIRST, name))]

    (reading,) = read_text("\n".join((_HEADER, *rows)))

    assert reading.group.members == (_FIRST,)
    assert [_owner_of(reading, p) for p in range(3)] == [None, _FIRST, None]
    assert reading.assumed.members_unknown


def test_a_leaders_plan_with_one_name_cut_out_leaves_its_partitions_open() -> None:
    (reading,) = read_text(
        "INFO Finished assignment for group at generation 4: {...=Assignment(partitions="
        "[orders-0, orders-2]), consumer-till-1-aa=Assignment(partitions=[orders-1])}\n"
    )

    assert reading.group.members == ("consumer-till-1-aa",)
    assert [_owner_of(reading, p) for p in range(3)] == [None, "consumer-till-1-aa", None]
    assert reading.assumed.members_unknown


@pytest.mark.parametrize("sign", ["|", "\t"])
def test_a_blank_cell_at_the_end_of_a_delimited_row_is_no_cut(sign: str) -> None:
    rows = [
        ["Group", "Topic", "Partition", "Current offset", "End offset", "Lag", "Consumer ID"],
        ["pay", "orders", "0", "5", "9", "4", _FIRST],
        ["pay", "orders", "1", "5", "9", "4", ""],
    ]

    (reading,) = read_text("\n".join(sign.join(row) for row in rows))

    assert [_owner_of(reading, p) for p in range(2)] == [_FIRST, "nobody"]
    assert not reading.assumed.members_unknown


def test_a_partition_survives_a_cut_in_its_committed_offset_where_no_column_is_aligned() -> None:
    text = (
        "Group           Topic      Pid Offset  logSize  Lag  Owner\n"
        "a-group-with-a-long-name tracks   0   20433   20435   2   tracker-0\n"
        "a-group-with-a-long-name tracks   1   20442   20449   7   tracker-1\n"
        "a-group-with-a-long-name tracks   2   204"
    )

    (reading,) = read_text(text)

    assert reading.group.is_owner_unknown.tolist() == [False, False, True]
    assert reading.group.is_lag_known.tolist() == [True, True, False]
