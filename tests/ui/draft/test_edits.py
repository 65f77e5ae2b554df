from dataclasses import replace

from assignors.model import Group
from assignors.naming import member_records, topic_records
from assignors.numbering import Member, Topic, group_of
from sources.budget import LIMITS
from ui.draft import cells, checks, edits
from ui.draft.edits import partition_row
from ui.draft.tables import PARTITIONS, TOPICS, Draft, draft_of


def draft() -> Draft:
    return draft_of(
        group_of(
            {"orders": Topic(2, lags=[5, 6]), "payments": Topic(1, lags=[7])},
            [
                Member("c0", ["orders", "payments"], owned=[("orders", 0)]),
                Member("c1", ["orders"], owned=[("orders", 1), ("payments", 0)]),
            ],
        )
    )


def group(found: Draft) -> Group:
    checked = checks.read(found)
    assert checked.group is not None, checked.problems
    return checked.group


def subscriptions(found: Draft) -> dict[str, list[str]]:
    return {member.id: list(member.topics) for member in member_records(group(found))}


def test_a_renamed_topic_keeps_lags_owners_and_subscribers() -> None:
    before = draft()
    after = before.topics.replace({"topic": {"orders": "sales"}})

    found = group(edits.with_topics(before, after))

    assert topic_records(found)["sales"].lags == [5, 6]
    assert sorted(member_records(found)[1].owned) == [("payments", 0), ("sales", 1)]
    assert [sorted(m.topics) for m in member_records(found)] == [["payments", "sales"], ["sales"]]


def test_a_new_topic_goes_to_those_who_subscribe_to_all_the_others() -> None:
    before = draft()

    found = cells.with_row(before, TOPICS, {"topic": "audit", "partitions": "3"})

    assert subscriptions(found) == {"c0": ["orders", "payments", "audit"], "c1": ["orders"]}
    assert topic_records(group(found))["audit"].lags == [None, None, None]


def test_more_partitions_have_unknown_lag_and_fewer_lose_theirs() -> None:
    before = draft()

    more = edits.with_topics(before, before.topics.assign(partitions=[3, 0]))
    back = edits.with_topics(more, before.topics.assign(partitions=[1, 1]))

    assert topic_records(group(more))["orders"].lags == [5, 6, None]
    assert topic_records(group(back))["orders"].lags == [5]
    assert topic_records(group(back))["payments"].lags == [None]


def test_a_renamed_consumer_keeps_its_partitions_and_subscriptions() -> None:
    before = draft()
    after = before.consumers.replace({"consumer": {"c1": "worker"}})

    found = edits.with_consumers(before, after)

    assert subscriptions(found)["worker"] == ["orders"]
    assert found.partitions["owner"].tolist() == ["c0", "worker", "worker"]


def test_what_a_removed_consumer_owned_has_no_owner() -> None:
    found = edits.remove_consumers(draft(), 1)

    assert subscriptions(found) == {"c0": ["orders", "payments"]}
    assert found.partitions["owner"].tolist() == ["c0", "", ""]


def test_many_consumers_are_added_under_free_names_with_racks_in_turn() -> None:
    before = edits.add_consumers(draft(), 1, "worker-")

    found = edits.add_consumers(before, 3, "worker-", ["a", "b"])

    assert found.consumers["consumer"].tolist()[2:] == [f"worker-{n}" for n in (1, 2, 3, 4)]
    assert found.consumers["rack"].tolist()[2:] == ["", "a", "b", "a"]
    assert subscriptions(found)["worker-4"] == ["orders", "payments"]


def test_a_tick_changes_one_subscription() -> None:
    found = edits.with_ticks(draft(), {("c0", "payments"): False, ("c1", "payments"): True})

    assert subscriptions(found) == {"c0": ["orders"], "c1": ["orders", "payments"]}


def test_ticks_of_what_is_gone_are_ignored() -> None:
    before = draft()

    found = edits.with_ticks(before, {("c9", "orders"): True, ("c0", "gone"): True})

    assert subscriptions(found) == subscriptions(before)


def test_consumers_subscribe_to_just_the_topics_named() -> None:
    found = edits.subscribe(draft(), ["c1"], ["payments"])

    assert subscriptions(found) == {"c0": ["orders", "payments"], "c1": ["payments"]}


def test_all_to_all_subscribes_everybody_to_everything() -> None:
    found = edits.subscribe_all(draft())

    assert subscriptions(found) == {"c0": ["orders", "payments"], "c1": ["orders", "payments"]}


def test_a_typed_lag_of_one_partition_leaves_the_others_alone() -> None:
    found = cells.with_cells(draft(), PARTITIONS, {(partition_row("payments", 0), "lag"): "99"})

    assert topic_records(group(found))["payments"].lags == [99]
    assert topic_records(group(found))["orders"].lags == [5, 6]


def test_a_lag_beyond_float_precision_stays_exact() -> None:
    huge = 2**53 + 1

    found = cells.with_cells(draft(), PARTITIONS, {(partition_row("orders", 0), "lag"): str(huge)})

    assert topic_records(group(found))["orders"].lags == [huge, 6]


def test_filling_in_lags_can_make_them_unknown() -> None:
    before = draft()

    filled = edits.fill_lags(before, before.partitions.index[:2], 40)
    blank = edits.fill_lags(filled, before.partitions.index[:1], None)

    assert topic_records(group(filled))["orders"].lags == [40, 40]
    assert topic_records(group(blank))["orders"].lags == [None, 40]


def test_the_lag_rule_is_the_same_draft_when_nothing_changes() -> None:
    before = draft()

    same = edits.with_lag_rule(before, from_offsets=False, auto_offset_reset="latest")
    other = edits.with_lag_rule(before, from_offsets=True, auto_offset_reset="latest")

    assert same is before
    assert other == replace(before, lag_from_offsets=True)


def test_more_partitions_than_the_budget_take_no_memory() -> None:
    before = draft()

    found = edits.with_topics(before, before.topics.assign(partitions=[10**12, 1]))

    assert found.partitions is not None
    assert len(found.partitions) == len(before.partitions)
    assert checks.read(found).group is None


def test_a_new_consumer_is_named_as_the_last_one_is() -> None:
    uuid = "6f0c0c4e-52c1-4f0e-9f5b-0d6c6f3a1b2c"
    last = {"app-09": "app-10", f"consumer-orders-1-{uuid}": "consumer-orders-2", "x": "x-1"}

    for name, expected in last.items():
        before = draft_of(Group.fresh({"t": 1}, [name]))
        added = edits.add_consumers(before, 1).consumers["consumer"]
        assert added.iloc[-1] == expected, name


def test_no_more_consumers_are_added_than_a_group_may_have() -> None:
    before = draft_of(Group.fresh({"t": 1}, ["c0"]))

    found = edits.add_consumers(before, LIMITS.members + 5)

    assert len(found.consumers) == LIMITS.members
