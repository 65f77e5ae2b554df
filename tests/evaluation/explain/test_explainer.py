"""Every strategy's own trace leads to its result, and its words say how: counted by hand."""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import UNOWNED, Group, Owners
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from assignors.strategy import Strategy
from assignors.trace import rules
from assignors.trace.events import Kind, Trace
from evaluation.explain.explainer import Explainer
from evaluation.explain.words import lag, load, moves, quotas, topics, turns
from evaluation.wording import without_uuids
from tests.evaluation.explain.examples import KAFKA_12464, KIP_49, NEAR, RACKS, T3, UNEQUAL
from tests.groups import equal_groups, groups, tried
from tests.said import figures_in, lacks


def steps_of(group: Group, name: str, partition: int) -> Mapping[str, str]:
    return {
        step.rule: step.text
        for step in Explainer(group, ALL_STRATEGIES[name]).explain(partition).steps
    }


def assert_told(group: Group, name: str) -> None:
    """Check that the words of every partition come from events that lead to its owner."""
    strategy = ALL_STRATEGIES[name]
    explainer = Explainer(group, strategy)

    walked = list(explainer.walk())

    assert sorted(found.partition for found in walked) == list(range(group.partition_count))
    owners = group.nobody()
    for found in walked:
        owners[found.partition] = found.owner
        assert found.decision in [step.text for step in found.steps]
        assert found.steps[-1].rule != "Result" or strategy.traced is None
        assert without_uuids((*group.members, "obody"))[found.owner] in found.decision
    np.testing.assert_array_equal(owners, strategy.settle(group))


@pytest.mark.parametrize("name", ALL_STRATEGIES)
@tried(60)
@given(group=groups())
def test_the_events_lead_to_the_owner(name: str, group: Group) -> None:
    assert_told(group, name)


@pytest.mark.parametrize("name", STRATEGIES)
@tried(40)
@given(group=equal_groups())
def test_the_events_lead_to_the_owner_where_all_subscribe_alike(name: str, group: Group) -> None:
    assert_told(group, name)


def test_every_strategy_of_ours_tells_a_trace_and_most_of_other_clients() -> None:
    silent = {name for name, strategy in ALL_STRATEGIES.items() if strategy.traced is None}

    assert not silent & set(STRATEGIES)
    silent_sticky = {name for name in silent if "sticky" in name}
    assert {name.split("-")[0] for name in silent_sticky} == {"franz", "librdkafka"}
    assert silent - silent_sticky == {"kafka-python-range", "kafka-python-roundrobin"}


@pytest.mark.parametrize("client", ["aiokafka", "kafka-python", "sarama"])
def test_the_sticky_assignors_of_other_clients_say_what_is_kept_and_what_evens_out(
    client: str,
) -> None:
    # c0 owns all four of t and alone reads u: 5 and 0, then 4 and 1, then 3 and 2
    members = [
        Member("c0", ["t", "u"], owned=[("t", p) for p in range(4)], generation=1),
        Member("c1", ["t"]),
    ]
    group = group_of({"t": Topic(4), "u": Topic(1)}, members)

    kept, moved = (steps_of(group, f"{client}-sticky", partition) for partition in (2, 1))

    assert not lacks(kept["Kept"], "c0")
    assert not lacks(moved["Improvement"], "c0", "4", "c1", "1", "c1")


@pytest.mark.parametrize("name", [n for n, s in ALL_STRATEGIES.items() if s.traced])
@tried(40)
@given(group=groups())
def test_a_trace_changes_nothing_and_gives_each_partition_at_most_one_owner_at_a_time(
    name: str, group: Group
) -> None:
    trace, strategy = Trace(), ALL_STRATEGIES[name]
    assert strategy.traced is not None
    if not group.is_wanted.any():
        return

    owners = strategy.traced(group, trace=trace)

    np.testing.assert_array_equal(owners, strategy.settle(group))
    held = group.nobody()
    for event in trace.events:
        if event.partitions is None or event.kind in {Kind.NOTE, Kind.GIVEN_UP}:
            continue
        before = held[event.partitions]
        assert (before != UNOWNED).all() == (event.kind is Kind.MOVED)
        assert group.is_wanted[event.partitions].all()
        held[event.partitions] = event.members
    np.testing.assert_array_equal(held, owners)


@pytest.mark.parametrize("name", ["fair", "lag-based", "lag-capped", "load-sticky", "sticky"])
@tried(60)
@given(group=groups())
def test_who_is_said_to_win_a_tie_is_the_smallest_id_of_those_named(
    name: str, group: Group
) -> None:
    names = without_uuids(group.members)

    for found in Explainer(group, ALL_STRATEGIES[name]).walk():
        for step in found.steps:
            if step.rule == "Tie-break" and "the smallest id of" in step.text:
                taker, _, rest = step.text.partition(" takes it, the smallest id of ")
                equal = rest.partition(", all with")[0]
                assert equal.startswith((f"{taker} and ", f"{taker}, "))
                assert taker in names


@pytest.mark.parametrize("name", ["fair", "lag-based", "lag-capped", "load-sticky", "sticky"])
@tried(60)
@given(group=groups())
def test_who_takes_a_partition_stands_first_among_those_named_by_what_they_have(
    name: str, group: Group
) -> None:
    for found in Explainer(group, ALL_STRATEGIES[name]).walk():
        for before, step in pairwise(found.steps):
            so_far = re.search(r"(?:hold:?|carry|topic:) (\S+) \(", before.text)
            if step.rule in {"Decision", "Tie-break"} and so_far:
                assert step.text.startswith(f"{so_far[1]} takes it")


@pytest.mark.parametrize(
    ("name", "group", "partition", "rule", "told"),
    [
        ("sticky", NEAR, 1, "Racks, first pass", "fewer than 1 .* rack .* b (0) .* b is next"),
        ("sticky", NEAR, 2, "Racks, first pass", "No consumer with fewer than 1 .* a, in rack x"),
        ("sticky", T3, 2, "Extra", "at least 1; .* a and b. The 1st is a"),
        ("sticky-kafka-9987", T3, 1, "Phase 2", "fewer than 1 .* 2nd goes to b"),
        ("sticky-kafka-9987", T3, 2, "Phase 4", "at least 1; .* fewer than 2, .* 1st is a"),
        ("uniform", T3, 0, "Extras", "The first by id get one more, .* a. A real broker"),
        ("uniform-kafka-18688", T3.owned_by(np.array([0, 1, 1])), 0, "Extras", "goes to b: "),
        ("kafka-go-range", T3, 1, "Quota", "3 partitions ÷ 2 subscribers = 1 each, one more for 1"),
        ("kafka-go-range", T3, 1, "Block", "1 is in the 2nd block, 1 to 2, which goes to b, 2nd"),
        ("kafka-go-roundrobin", T3, 2, "Turn", "number 2 of t goes to a, 1st of 2"),
        ("load-sticky", T3.owned_by(np.array([0, 1, 1])), 0, "Rest", "within 5 % of an even share"),
        ("fair", Group.fresh({"t": 1}, ["a"]), 0, "Decision", "a is the only consumer"),
    ],
)
def test_each_rule_tells_its_figures(
    name: str, group: Group, partition: int, rule: str, told: str
) -> None:
    pattern = ".*".join(map(re.escape, told.split(" .* ")))

    assert re.search(pattern, steps_of(group, name, partition)[rule])


@pytest.mark.parametrize("name", ALL_STRATEGIES)
def test_whoever_is_nth_of_some_is_one_of_them(name: str) -> None:
    for group in (KIP_49, KAFKA_12464, RACKS, UNEQUAL):
        for found in Explainer(group, ALL_STRATEGIES[name]).walk():
            told = " ".join(step.text for step in found.steps)
            places = re.findall(r"(-?\d+)(?:st|nd|rd|th) of (\d+)", told)
            assert all(1 <= int(place) <= int(of) for place, of in places), told


def test_partitions_without_an_owner_are_given_out_one_after_another() -> None:
    told = (steps_of(KIP_49, "sticky", partition)["Assigned"] for partition in range(8))

    places = [re.findall(r"the (\d+)\w\w of 8", text) for text in told]

    assert sorted(int(place) for (place,) in places) == [*range(1, 9)]


def test_every_rule_of_a_trace_has_words() -> None:
    named = {each for each in vars(rules).values() if isinstance(each, type)}

    worded = [each.WORDS for each in (topics, turns, quotas, moves, lag, load)]
    assert {rule for words in worded for rule in words} == {
        rule for rule in named if issubclass(rule, tuple)
    }


def test_two_partitions_that_pass_between_more_than_two_consumers_are_no_exchange() -> None:
    wanted = {"c0": ["a", "b"], "c1": ["a"], "c2": ["b"], "c3": ["a"]}
    group = Group.fresh({"a": 2, "b": 2}, wanted).owned_by(np.array([1, 1, 2, 2], np.int32))

    found = steps_of(group, "load-sticky", 2)

    assert "2 partitions move" in found["Chain"]
    assert "exchange" not in found["Chain"]


def test_a_strategy_without_a_trace_has_its_facts_told() -> None:
    newcomer = replace(STRATEGIES["fair"], name="newcomer", label="Newcomer", traced=None)

    found = Explainer(KIP_49, newcomer).explain(0)

    assert found.owner == newcomer.settle(KIP_49)[0]
    assert found.steps[-1].rule == "Result"


def by_hand(group: Group, *, trace: Trace | None = None) -> Owners:
    """Give everything to the last member, and tell so."""
    owners = group.nobody()
    owners[:] = group.member_count - 1
    if trace:
        trace.note(rules.Because("Policy", "The night shift reads everything."))
        trace.assigned([0, 1], group.member_count - 1, rules.Because("Night", "It is 2 a.m."))
        trace.assigned([2], 0, rules.Because("Mistake", "It is noon."))
    return owners


def test_a_strategy_from_outside_is_explained_in_its_own_words_where_they_lead_to_its_result() -> (
    None
):
    group = Group.fresh({"t": 3}, members=["C0", "C1"])
    explainer = Explainer(group, Strategy(name="x", label="X", assign=by_hand, traced=by_hand))

    told = [(step.rule, figures_in(step.text)) for step in explainer.explain(1).steps[1:]]
    assert told == [("Policy", []), ("Night", ["2", "C1"])]
    assert not lacks(explainer.explain(2).decision, "C1")
    assert explainer.explain(2).steps[-1].rule == "Result"
    assert sorted(explainer.order) == [0, 1, 2]


def undone(group: Group, *, trace: Trace | None = None) -> Owners:
    """Keep what is owned, after moves that did not help."""
    owners = group.present_owners.copy()
    if trace:
        trace.kept(np.arange(owners.size), owners, rules.StillSubscribes())
        trace.note(rules.Reverted())
    return owners


def test_moves_that_did_not_help_are_said_to_be_undone() -> None:
    group = Group.of(["t"], [2], ["c0", "c1"], owners=[0, 0], lags=[1, 1])
    strategy = Strategy(name="x", label="X", assign=undone, traced=undone)

    steps = Explainer(group, strategy).explain(0).steps

    said = {step.rule: step.text for step in steps}
    assert lacks(said["Improvement"], "tried", "undone", "not", "more even") == []
    assert not lacks(said["Kept"], "c0")


def test_a_trace_takes_no_rules_but_its_own() -> None:
    with pytest.raises(TypeError, match="Because takes your own words"):
        Trace().note(("Policy", "The night shift reads everything."))


def test_range_names_the_quota_and_the_block() -> None:
    group = Group.fresh({"t": 8}, members=["C0", "C1", "C2"])

    found = steps_of(group, "range", 7)

    assert figures_in(found["Quota"]) == ["8", "3", "2", "2"]
    assert figures_in(found["Block"]) == ["7", "3rd", "6", "7", "C2", "3rd"]


@pytest.mark.parametrize("name", ["range", "server-range"])
def test_range_puts_static_consumers_first(name: str) -> None:
    group = group_of({"t": Topic(2)}, [Member("a", ["t"]), Member("z", ["t"], instance_id="one")])

    found = Explainer(group, ALL_STRATEGIES[name]).explain(0)

    assert group.members[found.owner] == "z"
    assert not lacks(found.steps[1].text, "1")


def test_range_says_which_consumer_matched_the_rack() -> None:
    found = steps_of(RACKS, "range", 2)

    assert not lacks(found["Racks, first pass"], "in b", "quota", "c1, in rack b", "takes 1", "1st")


def test_range_says_what_racks_left_over() -> None:
    found = steps_of(RACKS, "range", 3)

    assert not lacks(found["Racks, first pass"], "Nobody", "in a")
    assert not lacks(found["Second pass"], "left 1 partition", "c1 (1)", "1st", "c1")


def test_range_says_that_co_partitioned_topics_are_divided_alike() -> None:
    racks = [["a"], ["b"]]
    group = group_of(
        {"t": Topic(2, racks=racks), "u": Topic(2, racks=racks)},
        [Member("c0", ["t", "u"], rack="b"), Member("c1", ["t", "u"], rack="a")],
    )

    found = steps_of(group, "range", 2)

    assert not lacks(found["Co-partitioned"], "2")
    assert not lacks(found["Racks, first pass"], "c1", "t and u", "has 0")


def test_roundrobin_says_who_is_skipped() -> None:
    topics = {name: KIP_49.topics.index(name) for name in KIP_49.topics}
    t2 = int(KIP_49.layout.topic_starts[topics["T2"]])

    found = steps_of(KIP_49, "roundrobin", t2)

    assert figures_in(found["Position"]) == ["3rd", "8"]
    assert figures_in(found["Turn"]) == ["T1-1", "C2", "C3", "C3", "T2", "C4"]


def test_fair_states_the_subscribers_counts_and_the_winner_of_the_tie() -> None:
    t1 = int(KIP_49.layout.topic_starts[0])

    found = steps_of(KIP_49, "fair", t1)

    assert figures_in(found["Held so far"]) == ["C2", "0", "C3", "0", "C1", "1", "C4", "1"]
    assert figures_in(found["Tie-break"]) == ["C2", "C2", "C3", "0"]


def test_lag_based_goes_by_lag_between_equal_counts() -> None:
    lags = {"t0": [100000, 50000, 60000, 10]}
    group = Group.fresh({"t0": 4}, members=["C0", "C1"], lags=lags)

    found = steps_of(group, "lag-based", 1)

    assert not lacks(found["Position"], "50,000", "3rd", "4 partitions")
    assert not lacks(found["Lag so far"], "C1 (60,000)", "C0 (100,000)")
    assert not lacks(found["Decision"], "C1", "only", "1", "least lag", "60,000")


def test_lag_based_adds_lags_up_beyond_64_bits() -> None:
    most = 2**63 - 1
    lags = {"t": [most, most, most, most, 2, 1]}
    group = Group.fresh({"t": 6}, members=["C0", "C1"], lags=lags)

    assert_told(group, "lag-based")


def test_sticky_says_what_the_quota_lets_a_consumer_keep() -> None:
    found = steps_of(KAFKA_12464, "sticky", 4)

    assert figures_in(found["Claims"]) == ["C0", "1"]
    assert figures_in(found["Given up"]) == ["C0", "5", "4", "1", "5th"]
    assert figures_in(found["Filled"]) == ["3", "C2", "3", "1st", "C2"]


def test_cooperative_sticky_says_that_the_partition_comes_a_round_later() -> None:
    found = Explainer(KAFKA_12464, ALL_STRATEGIES["cooperative-sticky"]).explain(4)

    assert found.steps[-1].rule == "Two rounds"
    assert found.decision == found.steps[-2].text


def test_kafka_12464_says_whose_turn_it_is() -> None:
    found = steps_of(KAFKA_12464, "sticky-kafka-12464", 8)

    assert not lacks(found["Assigned"], "3 partitions", "in turn", "C2 (0 kept)", "2nd", "C2")


def test_kafka_9987_names_the_consumer_that_gives_up_a_partition_in_phase_three() -> None:
    found = steps_of(KAFKA_12464, "sticky-kafka-9987", 3)

    assert figures_in(found["Kept"]) == ["C0", "5", "4", "4th"]
    assert figures_in(found["Phase 3"]) == ["C2", "3", "C0"]


def test_sticky_says_which_generation_counts() -> None:
    group = group_of(
        {"t": Topic(2)},
        [
            Member("c0", ["t"], owned=[("t", 0)], generation=1),
            Member("c1", ["t"], owned=[("t", 0)], generation=2),
        ],
    )

    found = steps_of(group, "sticky", 0)

    assert figures_in(found["Claims"]) == ["c0", "1", "c1", "2", "c1"]


def test_sticky_says_that_equal_generations_cancel_each_other() -> None:
    owned = [("t", 0)]
    members = [Member(name, ["t"], owned=owned, generation=2) for name in ("c0", "c1")]

    found = steps_of(group_of({"t": Topic(2)}, members), "sticky", 0)

    assert {"c0", "c1"} <= {*figures_in(found["Claims"])}
    assert "Doubly claimed" in found


def test_sticky_says_that_a_partition_has_no_replica_in_its_owners_rack() -> None:
    before = RACKS.owned_by(np.array([1, 0, 0, 1], np.int32))

    found = steps_of(before, "sticky", 0)

    assert figures_in(found["Racks"]) == ["c1"]


def test_sticky_tells_the_move_that_improved_the_balance() -> None:
    owners = STRATEGIES["sticky"].settle(UNEQUAL)
    moved = int(np.flatnonzero(owners[:4] == 1)[0])

    found = steps_of(UNEQUAL, "sticky", moved)

    assert figures_in(found["Kept"]) == ["c0"]
    assert figures_in(found["Improvement"]) == ["1", "c0", "4", "c1", "1", "c1"]


def test_uniform_says_who_gets_the_extra_partition() -> None:
    group = Group.of(["t"], [3], ["A", "B"], owners=np.array([0, 1, 1], np.int32))

    found = steps_of(group, "uniform", 2)

    assert not lacks(found["Given up"], "B holds 2", "keep 1", "2nd")
    assert lacks(found["Assigned"], "1 partition", "A (1)", "1st", "A") == []


def test_uniform_counts_what_is_kept_as_the_brokers_hash_set_goes() -> None:
    group = Group.of(["t"], [20], ["A", "B", "C"], owners=np.repeat([0, 1], 10))

    kept, given_up = (steps_of(group, "uniform-kafka-18688", number) for number in (19, 13))

    assert figures_in(kept["Kept"]) == ["10", "7", "4th"]
    assert figures_in(given_up["Given up"]) == ["10", "7", "8th"]


def test_uniform_tells_in_which_pass_a_partition_moved() -> None:
    owners = STRATEGIES["uniform"].settle(UNEQUAL)
    moved = int(np.flatnonzero(owners[:4] == 1)[-1])

    found = steps_of(UNEQUAL, "uniform", moved)

    assert lacks(found["Evened out"], "Pass 1", "c0 holds 4", "c1 1", "last partition", "c1") == []


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_topic_without_subscribers_has_no_owners(name: str) -> None:
    group = Group.fresh({"t": 1, "u": 1}, members={"c0": ["t"]})

    found = Explainer(group, ALL_STRATEGIES[name]).explain(1)

    assert found.owner == UNOWNED
    assert [step.rule for step in found.steps] == ["Candidates"]


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_group_without_consumers_is_explained(name: str) -> None:
    found = Explainer(Group.fresh({"t": 1}, members=[]), ALL_STRATEGIES[name]).explain(0)

    assert found.owner == UNOWNED


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_owner_is_named_in_the_sentence_that_decides(name: str) -> None:
    explainer = Explainer(KAFKA_12464, ALL_STRATEGIES[name])

    for found in explainer.walk():
        assert KAFKA_12464.members[found.owner] in found.decision


def test_sticky_tells_when_another_partition_goes_back_instead() -> None:
    t, u = [("t", p) for p in range(5)], [("u", p) for p in range(2)]
    group = group_of(
        {"t": Topic(5), "u": Topic(2)},
        [
            Member("c0", ["u"], owned=[t[0], u[0], t[2]], generation=0),
            Member("c1", ["t"], owned=[t[1], t[4], t[3], u[0]], generation=0),
            Member("c2", ["t"], generation=2),
            Member("c3", ["u"], owned=[t[1], t[2], t[4], t[0]], generation=1),
            Member("c4", ["t", "u"], owned=[u[1], t[2], t[4], u[0], t[3]], generation=2),
        ],
    )

    found = Explainer(group, ALL_STRATEGIES["sticky"]).explain(3)

    told = [figures_in(step.text) for step in found.steps if step.rule == "Improvement"]
    assert told == [["1", "c4", "4", "c1", "2", "c1"], ["2", "t-0", "c4", "c4", "c1"]]


def test_partitions_come_in_the_order_in_which_their_owners_become_final() -> None:
    kept, filled, taken = [0, 1, 2, 5, 6, 7, 8], [4, 9], [3]

    assert Explainer(KAFKA_12464, ALL_STRATEGIES["sticky-kafka-9987"]).order == [
        *kept,
        *filled,
        *taken,
    ]
    assert Explainer(UNEQUAL, ALL_STRATEGIES["sticky"]).order[-1] == 0  # kept at first, then moved


def test_of_equal_subscribers_the_first_named_takes_it_by_what_each_held_before_the_topic() -> None:
    group = Group.fresh(
        {"t0": 2, "t1": 1},
        {"c0": ["t0", "t1"], "c1": ["t1"], "c2": ["t0", "t1"], "c3": ["t0", "t1"]},
    )
    said = [
        step.text.partition(" takes it, the first of ")
        for found in Explainer(group, ALL_STRATEGIES["uniform"]).walk()
        for step in found.steps
        if step.rule == "Tie-break"
    ]

    assert said
    assert all(first and rest.startswith(taker) for taker, first, rest in said)
