"""What was measured goes along in group JSON and in links, and comes back as it was."""

import json

import numpy as np
import pytest

from assignors.model import UNKNOWN, Group
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.measuring.partition_times import partition_times
from evaluation.reading import Reading
from evaluation.rebalance.owner_changes import changes
from sources import group_json, links
from sources.errors import SourceError


def group(ends: list[int], committed: list[int]) -> Group:
    return Group.of(["t"], [len(ends)], ["a", "b"], lags=np.subtract(ends, committed)).with_offsets(
        end=ends, committed=committed
    )


def history() -> OffsetHistory:
    moments = (
        Moment.of(group([100, 50], [40, 50]), 1_000.0),
        Moment.of(group([160, 80], [70, 80]), 1_060.0),
    )
    return OffsetHistory(moments, {"t": np.inf}, frozenset({"t"}))


def document(**changes: object) -> bytes:
    whole = json.loads(
        group_json.encode(Reading(group=group([160, 80], [70, 80]), history=history()))
    )
    return json.dumps(whole | {"history": whole["history"] | changes}).encode()


def test_a_link_says_of_rates_and_times_what_the_sender_sees() -> None:
    sent = group([160, 80], [70, 80])

    text = links.encode(Reading(group=sent, history=history()))

    assert text is not None
    opened = links.decode(text)
    assert opened.history is not None
    assert opened.history.retention_s == {"t": np.inf}
    assert opened.history.unlimited == {"t"}
    here, there = partition_times(sent, history()), partition_times(opened.group, opened.history)
    assert there.produced.tolist() == here.produced.tolist() == [1.0, 0.5]
    assert there.consumed.tolist() == here.consumed.tolist() == [0.5, 0.5]
    assert there.age_s.tolist() == here.age_s.tolist()


def test_a_brief_history_keeps_the_two_snapshots_that_give_the_rates() -> None:
    moments = tuple(Moment.of(group([k * 60, 0], [0, 0]), 1_000.0 + 60 * k) for k in range(20))

    text = group_json.encode(
        Reading(group=group([19 * 60, 0], [0, 0]), history=OffsetHistory(moments)), is_brief=True
    )

    kept = json.loads(text)["history"]["moments"]
    assert [moment["at_s"] for moment in kept] == [1_000 + 60 * 14, 1_000 + 60 * 19]


def test_an_unknown_time_and_unknown_offsets_stay_unknown() -> None:
    moments = (Moment(np.nan, {"t": np.array([[UNKNOWN, 0], [UNKNOWN, 5], [1, 2]])}),)

    found = group_json.decode(
        group_json.encode(Reading(group=group([1, 5], [1, 2]), history=OffsetHistory(moments)))
    ).history

    assert found is not None
    assert np.isnan(found.moments[0].at_s)
    assert found.moments[0].topics["t"].tolist() == [[UNKNOWN, 0], [UNKNOWN, 5], [1, 2]]


@pytest.mark.parametrize(
    ("moments", "said"),
    [
        ([{"at_s": 2, "offsets": {}}, {"at_s": 2, "offsets": {}}], "at_s must ascend"),
        ([{"offsets": {"u": {}}}], "history.moments[0].offsets.u: topics has no 'u'"),
        ([{"offsets": {"t": {"end": [1, 2, 3]}}}], "found 3 offsets for 2 partitions"),
        pytest.param(
            *([{"offsets": {}}] * 1_000_001, "found 1,000,001, at most 1,000,000 can be read"),
            marks=pytest.mark.proof,
        ),
    ],
)
def test_a_history_that_contradicts_the_group_is_refused(moments: list[object], said: str) -> None:
    with pytest.raises(SourceError) as refused:
        group_json.decode(document(moments=moments))

    assert said in str(refused.value)


def test_a_stated_interval_dates_snapshots_without_times() -> None:
    undated = [moment | {"at_s": None} for moment in json.loads(document())["history"]["moments"]]

    read = group_json.decode(document(moments=undated, interval_s=120))
    dated = group_json.decode(document(interval_s=120))

    assert read.history is not None
    assert dated.history is not None
    assert np.diff(read.history.times_s).tolist() == [120]
    assert np.diff(dated.history.times_s).tolist() == [60]


@pytest.mark.parametrize("interval_s", [0, -1, 1e13])
def test_an_interval_that_is_no_time_is_refused(interval_s: float) -> None:
    with pytest.raises(SourceError, match="interval_s"):
        group_json.decode(document(interval_s=interval_s))


def test_a_brief_history_without_times_keeps_two_snapshots_in_a_row() -> None:
    moments = tuple(Moment.of(group([k * 60, 0], [0, 0]), np.nan) for k in range(20))

    text = group_json.encode(
        Reading(group=group([19 * 60, 0], [0, 0]), history=OffsetHistory(moments)), is_brief=True
    )

    kept = json.loads(text)["history"]["moments"]
    assert [moment["offsets"]["t"]["end"][0] for moment in kept] == [18 * 60, 19 * 60]


def test_a_link_keeps_who_owned_what_where_that_changed() -> None:
    names = (["a-1", "b-1"], ["c-1", "d-1"])
    groups = [
        Group.of(["t"], [2], members, owners=[0, 1]).with_offsets(end=[9, 9 + k], committed=[1, 1])
        for k, members in enumerate(names)
    ]
    moments = tuple(Moment.of(each, 60.0 * k) for k, each in enumerate(groups))
    same = (moments[1], moments[1]._replace(at_s=120.0))

    found, unchanged = (
        group_json.decode(group_json.encode(Reading(group=groups[1], history=OffsetHistory(each))))
        for each in (moments, same)
    )

    assert found.history is not None
    (change,) = changes(groups[1], found.history)
    assert (change.renewed, change.stayed) == ((), ())
    assert change.rebalance.joined == ("c-1", "d-1")
    assert unchanged.history is not None
    assert {moment.held and moment.held.members for moment in unchanged.history.moments} == {
        ("c-1", "d-1")
    }


def test_owners_that_do_not_change_are_written_once() -> None:
    owned = Group.of(["t"], [2], ["a", "b"], owners=[0, 1]).with_offsets(end=[9, 9])
    moment = Moment.of(owned, 0.0)
    history = OffsetHistory((moment, moment._replace(at_s=60.0)))

    written = json.loads(group_json.encode(Reading(group=owned, history=history)))

    first, last = written["history"]["moments"]
    assert ("held" in first, "held" in last) == (False, True)
