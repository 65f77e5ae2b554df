"""A topology that is pasted alone joins the Streams group that was read before."""

import pytest

from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from evaluation.kinds.asking import forecast
from sources.errors import SourceError
from sources.live_groups import reading_of
from sources.reading import Reading
from sources.text import read_text
from sources.topologies import with_topology
from tests.kinds.texts import CLASSIC, SHARE, STREAMS, TOPOLOGY
from tests.sources.test_live_kinds import REPARTITION, streams_group

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
