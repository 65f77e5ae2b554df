"""A topology that is pasted alone joins the Streams group that was read before."""

from dataclasses import replace

import pytest

from assignors.certainty import Known
from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from assignors.streams.tasks import task_named
from evaluation.kinds.asking import forecast
from evaluation.kinds.forecast import OtherMembers
from evaluation.kinds.stated import ClassicStated
from evaluation.kinds.streams_course import probing_of, without_copy
from evaluation.kinds.view import view_of
from evaluation.reading import Reading
from sources import group_json
from sources.errors import SourceError
from sources.live_groups import reading_of
from sources.text import read_text
from sources.topologies import with_topology
from tests.kinds.answered import said_in
from tests.kinds.texts import CLASSIC, SHARE, STREAMS, TOPOLOGY
from tests.sources.test_live_kinds import COUNTS, JOINED, REPARTITION, P, Q, streams_group

WHOLE = f"""{TOPOLOGY}
  Sub-topology: 2
    Source: KSTREAM-SOURCE-4 (topics: [clicks, customers])
      --> KSTREAM-JOIN-5
    Processor: KSTREAM-JOIN-5 (stores: [customers-store])
      <-- KSTREAM-SOURCE-4
"""


def _read(text: str) -> Reading:
    (reading,) = read_text(text)
    return reading


def test_it_joins_an_application_as_if_it_stood_below() -> None:
    alone = _read(CLASSIC)
    assert alone.as_kind is None

    joined = with_topology(alone, TOPOLOGY)

    below = _read(CLASSIC + TOPOLOGY).as_kind
    assert joined is not None
    assert joined.group is alone.group
    assert isinstance(joined.as_kind, StreamsApplication)
    assert isinstance(below, StreamsApplication)
    assert forecast(joined.as_kind) == forecast(below)


def test_it_tells_which_tasks_of_a_streams_group_have_state() -> None:
    alone = _read(STREAMS)
    assert isinstance(alone.as_kind, StreamsGroup)
    assert alone.as_kind.subtopologies[1].sources == ()

    joined = with_topology(alone, WHOLE)

    assert joined is not None
    assert isinstance(joined.as_kind, StreamsGroup)
    assert [(s.id, s.is_stateful, s.sources) for s in joined.as_kind.subtopologies] == [
        (0, False, ("orders",)),
        (1, True, ("by-letter-repartition",)),
        (2, True, ("clicks", "customers")),
    ]
    assert joined.as_kind.standbys == alone.as_kind.standbys == 1


def test_it_joins_a_live_application_which_keeps_what_its_threads_told() -> None:
    live = reading_of(streams_group())
    assert isinstance(live.as_kind, StreamsApplication)

    joined = with_topology(live, WHOLE)

    assert joined is not None
    assert isinstance(joined.as_kind, StreamsApplication)
    assert joined.as_kind.instances == live.as_kind.instances
    assert [(s.id, s.sources) for s in joined.as_kind.subtopologies] == [
        (0, ["orders"]),
        (1, [REPARTITION]),
        (2, ["clicks", "customers"]),
    ]


@pytest.mark.parametrize("text", [STREAMS, CLASSIC])
def test_another_applications_topology_is_refused(text: str) -> None:
    other = "Sub-topology: 7\n  Source: s (topics: [payments])\n"

    with pytest.raises(SourceError, match="'shop'"):
        with_topology(_read(text), other)


@pytest.mark.parametrize("text", [TOPOLOGY, STREAMS, STREAMS + TOPOLOGY, "nothing", ""])
def test_other_texts_and_groups_are_left_alone(text: str) -> None:
    assert with_topology(_read(SHARE), text) is None
    assert text == TOPOLOGY or with_topology(_read(STREAMS), text) is None


def test_a_topology_tells_which_changelogs_are_whose_and_copies_reached_their_ends() -> None:
    told = reading_of(streams_group(changelogs={"counts": COUNTS, "customers-store": JOINED}))
    assert isinstance(told.as_kind, StreamsApplication)
    assert not told.as_kind.knows_offsets  # both have 4 partitions, as both sub-topologies

    joined = with_topology(told, WHOLE)

    assert joined is not None
    application = joined.as_kind
    assert isinstance(application, StreamsApplication)
    assert application.knows_offsets
    assert application.end_offsets[task_named("1_2")] == 3_100
    assert application.restores[task_named("1_2")] == 3_000
    assert application.restores[task_named("2_3")] == 80_000
    of_p = application.lags[P]
    assert of_p[task_named("1_0")] == 0  # a copy that it was assigned
    assert of_p[task_named("2_1")] == 60_000 - 184  # left on its disk
    assert of_p[task_named("2_0")] == 50_000  # nothing of it
    found = forecast(application, OtherMembers(without=(Q,)))
    assert found.certainty.known is Known.ONE_OF_SEVERAL


def test_restore_time_rests_on_the_changelogs_that_were_read_and_a_stated_rate() -> None:
    told = reading_of(streams_group(changelogs={"counts": COUNTS, "customers-store": JOINED}))
    joined = with_topology(told, WHOLE)
    assert joined is not None
    assert joined.as_kind is not None
    lost = OtherMembers(without=(Q,))
    bare, stated = ClassicStated(standbys=0), ClassicStated(standbys=0, restore_per_s=100.0)

    read = view_of(joined.as_kind, joined.group, bare, lost)
    timed = view_of(joined.as_kind, joined.group, stated, lost)
    told_otherwise = view_of(
        joined.as_kind, joined.group, ClassicStated(changelog=500, restore_per_s=100.0), lost
    )

    assert without_copy(read) == ["1_2", "1_3", "2_0", "2_1"]
    assert read.restore_records == 60_000 - 184
    assert read.restore_s is None
    assert "59.8 k" in said_in(read).evidence
    assert timed.restore_s == pytest.approx(598.16)
    assert told_otherwise.restore_s == 5


def test_the_lag_that_lets_every_copy_take_over_is_the_largest_that_was_read() -> None:
    told = reading_of(streams_group(changelogs={"counts": COUNTS, "customers-store": JOINED}))
    joined = with_topology(told, WHOLE)
    assert joined is not None
    assert joined.as_kind is not None

    view = view_of(
        joined.as_kind, joined.group, ClassicStated(restore_per_s=1_000.0), OtherMembers(more=1)
    )
    advice = {each.setting: each for each in said_in(view).advice}["acceptable.recovery.lag"]
    lax = ClassicStated(recovery_lag=int(advice.value))
    under = view_of(joined.as_kind, joined.group, lax, OtherMembers(more=1))

    assert view.restore_records == int(advice.value) == 70_000
    assert "1 min 10 s" in advice.why
    assert probing_of(view) > probing_of(under)


def test_what_was_read_of_changelogs_returns_from_a_file() -> None:
    told = reading_of(streams_group(changelogs={"counts": COUNTS, "customers-store": JOINED}))
    joined = with_topology(told, WHOLE)
    assert joined is not None

    found = group_json.decode(group_json.encode(joined))

    assert isinstance(joined.as_kind, StreamsApplication)
    assert found.as_kind == replace(joined.as_kind, changelogs={})
