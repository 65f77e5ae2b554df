"""Descriptions of a cluster's groups become readings; no cluster is needed."""

from dataclasses import replace

import pytest

from assignors.kinds import GroupKind
from assignors.naming import member_records, topic_records
from evaluation.assuming.assumed import SubscriptionSource
from live.model import GroupDescription, GroupListing, GroupReading, LiveMember, LiveTopic
from sources import group_json
from sources.errors import SourceError
from sources.live_groups import kind_listed, label_of, reading_of, reread

ORDERS = LiveTopic(
    "orders",
    (("a",), ("b",), ("a",)),
    begin=(0, 5, 0),
    end=(20, 40, None),
    id="aB3dE5fG7hJ9kL1mN3pQ5r",
)
AUDIT = LiveTopic("audit", ((),), begin=(0,), end=(9,))
FIRST = LiveMember(
    id="c1", client_id="app", host="10.0.0.1", owned=(("orders", 0), ("orders", 1)), rack="a",
    subscription=("audit", "orders"),
)  # fmt: skip
SECOND = LiveMember(
    id="c2", client_id="app", host="10.0.0.2", instance_id="s-2", owned=(("orders", 2),)
)
IDLE = LiveMember(id="c3", client_id="app", host="10.0.0.3")


def _reading(
    *members: LiveMember,
    protocol: str = "classic",
    assignor: str = "range",
    state: str = "Stable",
    is_simple: bool = False,
) -> GroupReading:
    return GroupReading(
        description=GroupDescription(
            id="billing",
            state=state,
            protocol=protocol,
            assignor=assignor,
            members=members,
            is_simple=is_simple,
        ),
        topics={"audit": AUDIT, "orders": ORDERS},
        committed={("orders", 0): 15, ("orders", 2): 3, ("audit", 0): 12, ("gone", 0): 4},
    )


def test_records_deleted_unread_are_no_lag_when_read_and_when_read_again() -> None:
    # orders-0: 15 committed of 20. Then the log begins at 18, and 2 of the 5 that waited are left.
    then = _reading(FIRST)
    now = replace(then, topics={**then.topics, "orders": replace(ORDERS, begin=(18, 5, 0))})

    found, again = reading_of(now), reread(reading_of(then), then, now)

    assert topic_records(found.group)["orders"].lags == [2, None, None]
    assert topic_records(again.group)["orders"].lags == [2, None, None]


def test_lag_is_end_minus_committed_and_unknown_where_either_is() -> None:
    found = reading_of(_reading(FIRST))

    topics = topic_records(found.group)
    assert topics["orders"].lags == [5, None, None]
    assert topics["audit"].lags == [0]
    assert topics["orders"].topic_id == ORDERS.id
    assert any(note.startswith("On 1 of 4 partitions nothing is committed") for note in found.notes)


@pytest.mark.parametrize(("reset", "lag"), [("earliest", 35), ("latest", 0)])
def test_where_nothing_is_committed_auto_offset_reset_decides_if_it_is_given(
    reset: str, lag: int
) -> None:
    found = reading_of(_reading(FIRST), reset)

    assert topic_records(found.group)["orders"].lags == [5, lag, None]
    assert found.group.offsets.reset == reset


def test_offsets_racks_and_owners_are_kept() -> None:
    found = reading_of(_reading(FIRST, SECOND))

    topics, members = topic_records(found.group), member_records(found.group)
    assert topics["orders"].begin == [0, 5, 0]
    assert topics["orders"].end == [20, 40, None]
    assert topics["orders"].committed == [15, None, 3]
    assert topics["orders"].racks == [["a"], ["b"], ["a"]]
    assert members[0].rack == "a"
    assert members[0].owned == [("orders", 0), ("orders", 1)]
    assert members[1].instance_id == "s-2"


def test_a_missing_subscription_is_all_that_any_member_reads() -> None:
    found = reading_of(_reading(FIRST, SECOND, IDLE))

    topics = [sorted(member.topics) for member in member_records(found.group)]
    assert topics == [["audit", "orders"]] * 3
    assert found.assumed.subscriptions is SubscriptionSource.ALL_READ_ALL
    assert any("does not report subscriptions" in note for note in found.notes)


def test_no_assumption_is_noted_where_every_subscription_is_reported() -> None:
    found = reading_of(_reading(FIRST))

    assert not any("does not report" in note for note in found.notes)


def test_a_member_owns_what_it_is_to_own_and_the_rebalance_under_way_is_noted() -> None:
    coming = replace(IDLE, target=(("audit", 0),))

    found = reading_of(_reading(FIRST, coming, protocol="consumer", assignor="uniform"))

    assert member_records(found.group)[1].owned == [("audit", 0)]
    assert found.rebalancing is not None
    assert [found.group.partition_name(int(p)) for p in found.rebalancing.moving] == ["audit-0"]
    assert any("KAFKA-20431" in note for note in found.notes)


@pytest.mark.parametrize(
    ("read", "kind"),
    [
        (_reading(FIRST), GroupKind.CONSUMER),
        (_reading(FIRST, assignor="stream"), GroupKind.STREAMS),
        (_reading(replace(FIRST, client_id="a-StreamThread-1-consumer")), GroupKind.STREAMS),
        (_reading(replace(FIRST, client_id="connector-consumer-s-0")), GroupKind.CONNECT_SINK),
        (_reading(state="Dead"), GroupKind.STREAMS_BROKER),  # what is Dead commits nothing
        (_reading(state="Empty", is_simple=True), GroupKind.OFFSETS),
        (_reading(state="Empty"), GroupKind.CONSUMER),  # it once had members
    ],
)
def test_the_coordinators_answer_tells_the_kind(read: GroupReading, kind: GroupKind) -> None:
    assert reading_of(read).kind is kind


def test_a_classic_group_between_two_generations_is_read_as_rebalancing() -> None:
    found = reading_of(_reading(replace(FIRST, owned=()), state="PreparingRebalance"))

    assert found.state == "PreparingRebalance"
    assert found.rebalancing is not None
    assert found.rebalancing.target is None


@pytest.mark.parametrize(
    ("protocol", "assignor", "strategy"),
    [
        ("classic", "range", "range"),
        ("classic", "cooperative-sticky", "cooperative-sticky"),
        ("classic", "my.own", None),
        ("consumer", "range", "server-range"),
        ("consumer", "uniform", "uniform-kafka-18688"),
        ("classic", "", None),
    ],
)
def test_the_strategy_is_known_by_what_brokers_call_it(
    protocol: str, assignor: str, strategy: str | None
) -> None:
    found = reading_of(_reading(FIRST, protocol=protocol, assignor=assignor))

    assert found.strategy == strategy


def test_an_empty_group_keeps_its_topics_and_says_that_it_has_no_consumers() -> None:
    found = reading_of(_reading())

    assert found.group.member_count == 0
    assert found.rows == 4
    assert "has no consumers" in found.notes[0]


def test_a_group_without_topics_may_be_one_whose_topics_are_hidden() -> None:
    found = reading_of(replace(_reading(), topics={}, committed={}))

    assert "lacks the DESCRIBE permission on its topics" in found.notes[0]


def test_topics_that_are_gone_are_named() -> None:
    gone = replace(_reading(FIRST), missing_topics=tuple(f"gone{k}" for k in range(5)))

    found = reading_of(gone)

    assert "gone0" not in topic_records(found.group)
    assert any(note.endswith("gone0, gone1, gone2 and 2 more.") for note in found.notes)


def test_a_live_group_survives_being_saved() -> None:
    found = reading_of(_reading(FIRST, SECOND, IDLE))

    again = group_json.decode(group_json.encode(found.group)).group

    assert group_json.encode(again) == group_json.encode(found.group)
    assert topic_records(again)["orders"].lags == [5, None, None]


def test_a_group_beyond_the_limits_is_refused() -> None:
    many = replace(ORDERS, racks=((),) * 1_000_001)
    reading = replace(_reading(FIRST), topics={"orders": many})

    with pytest.raises(SourceError, match=r"'orders' with 1,000,001.* more than the 1,000,000"):
        reading_of(reading)


@pytest.mark.parametrize(
    ("listing", "kind"),
    [
        (GroupListing("g", "Stable", "classic", "consumer", "range", ("c",)), GroupKind.CONSUMER),
        (GroupListing("g", "Stable", "classic", "consumer", "stream", ("c",)), GroupKind.STREAMS),
        (GroupListing("g", "Stable", "consumer", "", "", ()), GroupKind.CONSUMER),
        (GroupListing("g", "Stable", "unknown", "connect", "sessioned"), GroupKind.CONNECT),
        (
            GroupListing(
                "g", "Stable", "classic", "consumer", "range", ("connector-consumer-sink-0",)
            ),
            GroupKind.CONNECT_SINK,
        ),
        (GroupListing("g", "Empty", "classic", ""), GroupKind.OFFSETS),
        (GroupListing("g", "Dead", "unknown", ""), None),
        (GroupListing("g", "Stable", "classic"), None),
    ],
)
def test_a_clusters_list_tells_the_kinds_of_groups(
    listing: GroupListing, kind: GroupKind | None
) -> None:
    assert kind_listed(listing) is kind
    is_plain = kind in {None, GroupKind.CONSUMER} and listing.state != "Dead"
    assert is_plain == (label_of(listing) == f"g · {listing.state} · {listing.protocol}")
