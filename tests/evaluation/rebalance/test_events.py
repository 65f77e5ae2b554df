from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from assignors.naming import member_records, topic_records
from assignors.numbering import Member, Topic, group_of
from evaluation.rebalance.event_errors import InvalidEventError
from evaluation.rebalance.events import (
    AddPartitions,
    AddTopic,
    ComeBack,
    Event,
    Join,
    Leave,
    Rejoin,
    Subscribe,
    after,
)
from evaluation.rebalance.regroup import past_of
from tests.groups import groups
from tests.histories import histories

GROUP = group_of(
    {"t": Topic(4, lags=[10, 20, 30, 40]), "u": Topic(2)},
    [
        Member("c0", ["t", "u"], owned=[("t", 0), ("t", 1)], generation=7, rack="a"),
        Member("c1", ["t", "u"], owned=[("t", 2), ("t", 3)], generation=7),
        Member("c2", ["u"], owned=[("u", 0), ("u", 1)], generation=6, instance_id="i2"),
    ],
)


def _claims(group: Group) -> dict[str, list[tuple[str, int]]]:
    return {member.id: list(member.owned) for member in member_records(group)}


def _subscriptions(group: Group) -> dict[str, list[str]]:
    return {member.id: list(member.topics) for member in member_records(group)}


def test_who_joins_claims_nothing_and_the_others_keep_their_claims() -> None:
    joined = after(GROUP, Join(("c00",)))

    assert _claims(joined) == _claims(GROUP) | {"c00": []}
    assert joined.claims.generations.tolist() == [7, -1, 7, 6]
    assert joined.members == ("c0", "c00", "c1", "c2")


def test_a_joining_member_has_the_most_common_subscription_by_default() -> None:
    joined = after(after(GROUP, Join(("c3",))), Join(("c4",), topics=("u",)))

    assert _subscriptions(joined)["c3"] == ["t", "u"]
    assert _subscriptions(joined)["c4"] == ["u"]


def test_racks_are_given_in_turn_and_new_ones_become_known() -> None:
    joined = after(GROUP, Join(("c3", "c4", "c5"), racks=("Z", "a")))

    assert [member.rack for member in member_records(joined)[3:]] == ["Z", "a", "Z"]
    assert member_records(joined)[0].rack == "a"


def test_who_leaves_takes_its_claims_along() -> None:
    left = after(GROUP, Leave(("c0",)))

    assert _claims(left) == {name: _claims(GROUP)[name] for name in ("c1", "c2")}


def test_what_those_who_left_owned_is_remembered_under_their_names() -> None:
    change = Leave(("c1", "c0")).change(GROUP)

    owners, departed = past_of(GROUP, change)

    assert departed == ("c0", "c1")
    assert owners.tolist() == [1, 1, 2, 2, 0, 0]


def test_a_dynamic_member_returns_as_a_new_member_with_its_topics_and_rack() -> None:
    change = ComeBack("c0", "c9").change(GROUP)

    back = member_records(change.group)[-1]

    assert back == Member("c9", ["t", "u"], rack="a", owned=[])
    assert change.rebalances
    assert past_of(GROUP, change)[1] == ("c0",)


def test_a_static_member_returns_with_its_claims_and_without_a_rebalance() -> None:
    change = ComeBack("c2", "a2").change(GROUP)

    assert not change.rebalances
    assert _claims(change.group)["a2"] == [("u", 0), ("u", 1)]
    assert change.group.claims.generations.tolist() == [6, 7, 7]
    assert past_of(GROUP, change)[0].tolist() == change.group.present_owners.tolist()


def test_a_what_if_makes_a_restarting_member_static() -> None:
    change = ComeBack("c0", "c9", instance_id="i0").change(GROUP)

    assert not change.rebalances
    assert change.group.layout.instance_ids == (None, "i2", "i0")


def test_added_partitions_come_last_in_their_topic_with_unknown_lag() -> None:
    grown = after(GROUP, AddPartitions("t", 2))

    assert topic_records(grown)["t"].lags == [10, 20, 30, 40, None, None]
    assert _claims(grown) == _claims(GROUP)


def test_a_new_topic_goes_to_those_who_subscribe_to_all_the_others() -> None:
    grown = after(GROUP, AddTopic("s", 3))

    assert _subscriptions(grown) == {"c0": ["s", "t", "u"], "c1": ["s", "t", "u"], "c2": ["u"]}
    assert _claims(grown) == _claims(GROUP)


def test_a_topic_that_was_waited_for_goes_to_those_who_wait() -> None:
    waiting = group_of({"t": Topic(1)}, [Member("c0", ["t"]), Member("c1", ["soon"])])

    grown = after(waiting, AddTopic("soon", 2))

    assert _subscriptions(grown) == {"c0": ["t"], "c1": ["soon"]}
    assert topic_records(grown)["soon"].partitions == 2


def test_what_is_no_longer_subscribed_to_is_no_longer_claimed() -> None:
    changed = after(GROUP, Subscribe(("c1", "c0"), ("u",)))

    assert _claims(changed) == {"c0": [], "c1": [], "c2": [("u", 0), ("u", 1)]}


def test_members_with_equal_subscriptions_share_a_class_again() -> None:
    changed = after(GROUP, Subscribe(("c2",), ("u", "t")))

    assert changed.layout.class_of_member.tolist() == [0, 0, 0]
    assert changed.layout.class_starts.size == 2


def test_rejoining_changes_nothing() -> None:
    assert after(GROUP, Rejoin()) is GROUP


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Join(("c3",)), "c3 joins"),
        (Join(("c3", "c4"), ("u",), ("a",)), "c3 and c4 join with u in rack a"),
        (Join(tuple("abcd"), instance_ids=tuple("abcd")), "4 consumers join with static ids"),
        (Leave(("c0",)), "c0 leaves"),
        (Leave(("c0", "c1", "c2")), "c0, c1 and c2 leave"),
        (ComeBack("c0", "c9"), "c0 restarts and returns as c9"),
        (
            ComeBack("c0", "c9", "i0"),
            "c0 restarts and returns as c9, recognised by its static id i0",
        ),
        (AddPartitions("t", 1), "t gets 1 more partition"),
        (AddTopic("s", 3000), "topic s is created with 3,000 partitions"),
        (Subscribe(("c0",), ("t",)), "c0 subscribes only to t"),
        (Subscribe(("c0", "c1"), ()), "c0 and c1 subscribe to nothing"),
        (Rejoin(), "all consumers rejoin, nothing else changes"),
    ],
)
def test_an_event_is_a_sentence(event: Event, sentence: str) -> None:
    assert str(event) == sentence


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (Join(()), "name at least one consumer that joins"),
        (Join(("c0",)), "the group has a consumer 'c0' already; give another name"),
        (Join(("n", "n")), "the group has a consumer 'n' already; give another name"),
        (Join(("n",), instance_ids=("i2",)), "has a static id 'i2' already; give another name"),
        (Join(("n", "o"), instance_ids=("i",)), "1 static ids are given for 2 consumers"),
        (Join(("n",), topics=("v",)), "the group has no topic 'v'; choose from t, u"),
        (Leave(()), "name at least one consumer that leaves"),
        (Leave(("x",)), "the group has no consumer 'x'; choose from c0, c1, c2"),
        (Leave(("c00",)), "no consumer 'c00'; did you mean 'c0'?"),
        (ComeBack("c0", "c1"), "the group has a consumer 'c1' already; give another name"),
        (ComeBack("c0", " "), "name at least one new member id"),
        (ComeBack("c0", "c9", "i2"), "has a static id 'i2' already; give another name"),
        (AddPartitions("v", 1), "the group has no topic 'v'; choose from t, u"),
        (AddPartitions("t", -1), "-1 partitions cannot be added to t; give 1 to 100,000"),
        (AddPartitions("t", 100_001), "100,001 partitions cannot be added to t; give 1 to 100,000"),
        (AddTopic("t", 1), "the group has a topic 't' already; give another name"),
        (AddTopic(" ", 1), "name at least one topic name"),
        (AddTopic("v", 0), "a topic cannot have 0 partitions; give 1 to 100,000"),
        (Subscribe((), ("t",)), "name at least one consumer whose subscription changes"),
        (Subscribe(("c0",), ("v",)), "the group has no topic 'v'; choose from t, u"),
    ],
)
def test_an_event_that_cannot_happen_says_why(event: Event, reason: str) -> None:
    with pytest.raises(InvalidEventError) as raised:
        after(GROUP, event)

    assert reason in str(raised.value)


def test_a_long_list_of_choices_is_cut_short() -> None:
    group = Group.fresh({"t": 1}, [f"c{number}" for number in range(40)])

    with pytest.raises(InvalidEventError, match="c34, c35 and 10 more"):
        after(group, Leave(("x",)))


@given(st.data())
def test_arrays_are_rearranged_as_records_would_be(data: st.DataObject) -> None:
    group = data.draw(groups())
    for event in data.draw(histories(group)):
        changed, expected = after(group, event), _by_records(group, event)

        assert _with_sorted_topics(changed) == _with_sorted_topics(expected)
        assert topic_records(changed) == topic_records(expected)
        assert changed.present_owners.tolist() == expected.present_owners.tolist()
        assert sorted(changed.claims.vanished) == sorted(expected.claims.vanished)

        group = changed


def test_a_claim_on_a_vanished_partition_leaves_with_its_member_or_comes_true() -> None:
    members = [Member("F", ["b"], owned=[("b", 0), ("b", 2)], generation=1), Member("H", ["b"])]
    group = group_of({"b": Topic(1)}, members)
    assert group.claims.vanished == (("F", "b", 2),)

    assert after(group, Leave(("F",))).claims.vanished == ()
    assert after(group, Leave(("F", "H"))).claims.vanished == ()
    assert after(group, AddPartitions("b", 1)).claims.vanished == (("F", "b", 2),)
    grown = after(group, AddPartitions("b", 2))
    assert grown.claims.vanished == ()
    assert grown.present_owners.tolist() == [0, -1, 0]


def _with_sorted_topics(group: Group) -> list[Member]:
    return [member._replace(topics=sorted(member.topics)) for member in member_records(group)]


def test_the_order_of_the_leaders_topics_is_known_as_long_as_it_leads() -> None:
    members = [Member("b", ["u", "t"]), Member("a", ["t", "u"])]
    group = group_of({"t": Topic(1), "u": Topic(1)}, members)

    assert after(group, Leave(("a",))).layout.leader_topics == ("u", "t")
    assert after(group, Leave(("b",))).layout.leader_topics == ()
    assert after(group, Subscribe(("b",), ("t",))).layout.leader_topics == ()


def _by_records(group: Group, event: Event) -> Group:
    """Rebuild the group from names, the slow way."""
    topics, members = topic_records(group), member_records(group)
    match event:
        case Join():
            members += _newcomers(members, list(topics), event)
        case Leave():
            members = [member for member in members if member.id not in event.ids]
        case ComeBack():
            members = _restarted(members, event)
        case AddPartitions():
            topics[event.topic] = _longer(topics[event.topic], event.more)
        case AddTopic():
            wants_all = [member.id for member in members if set(member.topics) == set(topics)]
            members = [
                member._replace(topics=[*member.topics, event.topic])
                if member.id in wants_all
                else member
                for member in members
            ]
            topics[event.topic] = Topic(event.partitions)
        case Subscribe():
            members = [_subscribed(m, event) if m.id in event.ids else m for m in members]
        case Rejoin():
            pass
    return group_of(topics, members, id=group.id)


def _newcomers(members: list[Member], topics: list[str], event: Join) -> list[Member]:
    wanted = event.topics
    if wanted is None:
        by_id = sorted(members, key=lambda member: member.id.encode("utf-16-be"))
        lists = [tuple(sorted(member.topics)) for member in by_id]
        wanted = max(lists, key=lists.count) if lists else tuple(topics)
    racks = cycle(event.racks or [None])
    static = event.instance_ids or (None,) * len(event.ids)
    return [
        Member(name, sorted(wanted), instance_id, rack)
        for name, instance_id, rack in zip(event.ids, static, racks, strict=False)
    ]


def _restarted(members: list[Member], event: ComeBack) -> list[Member]:
    old = next(member for member in members if member.id == event.old_id)
    instance_id = event.instance_id or old.instance_id
    back = old._replace(id=event.new_id, instance_id=instance_id)
    if instance_id:
        return [back if member is old else member for member in members]
    stranger = back._replace(owned=[], generation=None)
    return [*(member for member in members if member is not old), stranger]


def _longer(topic: Topic, more: int) -> Topic:
    unknown = [None] * more
    return topic._replace(
        partitions=topic.partitions + more,
        lags=None if topic.lags is None else [*topic.lags, *unknown],
        racks=None if topic.racks is None else [*topic.racks, *([] for _ in unknown)],
    )


def _subscribed(member: Member, event: Subscribe) -> Member:
    kept = [claim for claim in member.owned if claim[0] in event.topics]
    return member._replace(topics=sorted(event.topics), owned=kept)
