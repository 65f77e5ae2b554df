"""Plans of several groups as files and links, and what neither accepts."""

import json
from contextlib import suppress
from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.reading import Reading
from sources import group_json, plans_of_groups
from sources.errors import UNEXPECTED, SourceError
from sources.links import MOST_CHARACTERS
from sources.plans_of_groups import MOST_GROUPS, PlanGroup, PlanOfGroups
from sources.text import read_text
from tests.groups import groups, tried

ORDERS = Group.of(["orders"], [2], ["a", "b"], owners=[0, 1], lags=[40, 5], id="checkout")
CLICKS = Group.of(["clicks"], [3], ["c"], owners=[0, 0, 0], lags=[1, 2, 3], id="stream")
STATED = st.dictionaries(
    st.sampled_from(["throughput", "total_rate", "runs", "rates"]),
    st.text(printable, min_size=1, max_size=40),
)
PLAN_GROUPS = st.builds(
    lambda title, group, stated: PlanGroup(
        title=title, reading=Reading(group=group), stated=stated
    ),
    st.text(min_size=1, max_size=30),
    groups(),
    STATED,
)


def plan_of(*of: Group) -> PlanOfGroups:
    return PlanOfGroups(
        groups=[
            PlanGroup(
                title=each.id,
                reading=Reading(group=each, strategy="range"),
                stated={"throughput": str(k)},
            )
            for k, each in enumerate(of, start=200)
        ],
        asked={"allowed_min": "30", "peak": "1.5"},
    )


PLAN = plan_of(ORDERS, CLICKS)


@given(st.lists(PLAN_GROUPS, min_size=1, max_size=3), STATED)
@tried(60)
def test_a_plan_is_unchanged_by_a_file_and_by_a_link(
    planned: list[PlanGroup], asked: dict[str, str]
) -> None:
    plan = PlanOfGroups(groups=planned, asked=asked)
    link = plans_of_groups.encode_link(plan)

    found = [plans_of_groups.decode(plans_of_groups.encode(plan))]
    found += [] if link is None else [plans_of_groups.decode_link(link)]

    for each in found:
        assert plans_of_groups.encode(each) == plans_of_groups.encode(plan)
        assert [g.stated for g in each.groups] == [g.stated for g in planned]


def test_a_plan_is_read_as_its_groups_wherever_a_text_is() -> None:
    found = read_text(plans_of_groups.encode(PLAN).decode())

    assert [(each.name, each.strategy) for each in found] == [
        ("checkout", "range"),
        ("stream", "range"),
    ]
    assert found[1].group.lags.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"plan_of_groups": 2}, "reads version 1, found 2"),
        ({"plan_of_groups": "1"}, "plan_of_groups: expected an int"),
        ({"groups": []}, "expected 1 to 20 groups, found 0"),
        ({"groups": {}}, "groups: expected a list"),
        ({"groups": [{"title": "a"}]}, "group"),
        ({"groups": [{"group": {"topics": {"t": -1}, "members": []}}]}, r"groups\[0\].*topics\.t"),
        ({"groups": [{"group": {"topics": {}, "members": []}}, {"group": 3}]}, r"groups\[1\]"),
        ({"groups": [{"group": {"topics": {"t": 900_000_000}, "members": []}}]}, r"900,000,000"),
        ({"asked": {"peak": 2}}, "asked"),
        ({"more": 1}, "more"),
    ],
)
def test_a_file_that_was_changed_is_refused_with_the_place(
    changed: dict[str, object], said: str
) -> None:
    data = json.dumps(json.loads(plans_of_groups.encode(PLAN)) | changed).encode()

    with pytest.raises(SourceError, match=said):
        plans_of_groups.decode(data)


@pytest.mark.parametrize(
    "data",
    [
        *(plans_of_groups.encode(PLAN)[:size] for size in (0, 1, 40, 200, -1)),
        b'{"plan_of_groups": 1, "plan_of_groups": 1, "groups": []}',
        b'{"plan_of_groups": 1, "groups": ' + b"[" * 100_000,
        b"[1]",
        b"\xff",
        b'{"plan_of_groups": -1, "groups": 1, "x": "\xff"}',
    ],
)
def test_what_is_no_whole_plan_is_a_sentence(data: bytes) -> None:
    with pytest.raises(SourceError) as refused:
        plans_of_groups.decode(data)

    assert "our reader failed" not in str(refused.value)


@given(st.data())
@tried(150)
def test_bytes_that_were_changed_anywhere_are_read_or_refused_in_a_sentence(
    data: st.DataObject,
) -> None:
    text = bytearray(plans_of_groups.encode(PLAN))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 6))] = data.draw(
            st.sampled_from(
                [b"", b"{", b"]", b'"', b"9", b"-1", b"null", b"1e400", b"\x00", b"\xff"]
            )
        )

    before = UNEXPECTED.total()
    with suppress(SourceError):
        plans_of_groups.decode(bytes(text))

    assert UNEXPECTED.total() == before


def test_groups_that_together_exceed_the_limits_are_refused() -> None:
    groups = [{"group": {"topics": {"t": 400_000}, "members": []}}] * 3
    data = json.dumps({"plan_of_groups": 1, "groups": groups}).encode()

    with pytest.raises(SourceError, match=r"groups\[2\].*1,200,000 partitions"):
        plans_of_groups.decode(data)


def test_no_plan_has_more_groups_than_a_session_keeps_open() -> None:
    with pytest.raises(SourceError, match=f"1 to {MOST_GROUPS} groups, found {MOST_GROUPS + 1}"):
        plans_of_groups.decode(plans_of_groups.encode(plan_of(*[ORDERS] * (MOST_GROUPS + 1))))


@pytest.mark.slow
def test_a_link_has_a_bounded_size_and_a_plan_beyond_it_has_none() -> None:
    few = plans_of_groups.encode_link(PLAN)
    many = [
        Group.fresh(
            {f"{k}-{n}": 7 + n for n in range(60)},
            [f"c{(k + 7) ** 9 * (n + 3) ** 7 % 999_983}-{n}" for n in range(40)],
        )
        for k in range(6)
    ]

    assert few is not None
    assert len(few) <= MOST_CHARACTERS
    assert plans_of_groups.encode_link(plan_of(*many)) is None


@pytest.mark.parametrize(("snapshots", "in_link"), [(4, 4), (400, 2)])
def test_a_history_is_whole_in_a_link_that_has_room_for_it(snapshots: int, in_link: int) -> None:
    ends = [7 * k**3 for k in range(1, snapshots + 1)]
    at = [
        CLICKS.with_offsets(begin=[0] * 3, end=[end, 2 * end, 3 * end], committed=[0] * 3)
        for end in ends
    ]
    history = OffsetHistory(tuple(Moment.of(each, 60.0 * k) for k, each in enumerate(at)))
    reading = Reading(group=at[-1], strategy="range", history=history)

    link = plans_of_groups.encode_link(
        PlanOfGroups(groups=[PlanGroup(title="stream", reading=reading, stated={})], asked={})
    )
    assert link is not None
    (found,) = plans_of_groups.decode_link(link).groups

    assert found.reading.history is not None
    assert len(found.reading.history.moments) == in_link


def test_a_link_to_one_group_is_no_plan() -> None:
    link = plans_of_groups.encode_link(PLAN) or ""

    with pytest.raises(SourceError, match=r"cut off|broken"):
        plans_of_groups.decode_link(link[:-9])
    with pytest.raises(SourceError, match="no plan of several"):
        plans_of_groups.decode(group_json.encode(ORDERS))
