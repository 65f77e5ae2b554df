import pytest

from assignors.certainty import EXACT, LARGE_TOPICS, SHARED_BUCKETS, WITHOUT_TOPIC_IDS, Known
from assignors.clients.registry import ALL_STRATEGIES, OTHER_CLIENTS
from assignors.model import Group
from assignors.strategy import Strategy
from sources.group_json import decode
from tests.golden_cases import cases

every_strategy = pytest.mark.parametrize("strategy", ALL_STRATEGIES.values(), ids=lambda s: s.name)
UNIFORM = ALL_STRATEGIES["uniform-kafka-18688"]


@every_strategy
def test_all_that_is_not_exact_says_why_in_sentences(strategy: Strategy) -> None:
    for certainty in (
        strategy.certainty,
        strategy.certainty_for(Group.fresh({"a": 1}, ["c0", "c1"])),
    ):
        assert bool(certainty.why) == (certainty.known is not Known.EXACT)
        assert not certainty.why or certainty.why.endswith(".")
        assert certainty.text


def test_uniform_is_exact_for_one_small_topic() -> None:
    assert UNIFORM.certainty_for(Group.fresh({"a": 16}, ["c0", "c1"])) == EXACT


def test_uniform_needs_the_ids_of_several_topics() -> None:
    assert UNIFORM.certainty_for(Group.fresh({"a": 1, "b": 1}, ["c0", "c1"])) == WITHOUT_TOPIC_IDS


@pytest.mark.parametrize(
    ("other", "certainty"),
    [("AAAAAAAAAAEAAAAAAAAAAg", EXACT), ("AAAAAAAAAAAAAAAAAAAAAQ", SHARED_BUCKETS)],
)
def test_uniform_is_exact_where_no_two_ids_share_a_bucket(other: str, certainty: object) -> None:
    group = decode(
        '{"topics": {"a": {"partitions": 1, "topic_id": "AAAAAAAAAAEAAAAAAAAAAA"}, '
        f'"b": {{"partitions": 1, "topic_id": "{other}"}}}}, '
        '"members": [{"id": "c0", "topics": ["a", "b"]}, {"id": "c1", "topics": ["a", "b"]}]}'
    ).group

    assert UNIFORM.certainty_for(group) == certainty


def test_a_large_topic_that_is_owned_already_has_odds() -> None:
    fresh = Group.fresh({"a": 17}, ["c0", "c1"])

    assert UNIFORM.certainty_for(fresh) == EXACT
    assert UNIFORM.certainty_for(fresh.owned_by(UNIFORM.assign(fresh))) == LARGE_TOPICS


@every_strategy
def test_one_member_leaves_no_choice(strategy: Strategy) -> None:
    assert strategy.certainty_for(Group.fresh({"a": 17, "b": 1}, ["c0"])) == EXACT


@pytest.mark.slow
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.proof)])
@pytest.mark.parametrize(
    "strategy",
    [
        # Of franz-go's, clients/test_franz_go_sticky.py holds all possible answers to the vectors.
        pytest.param(s, id=s.name, marks=pytest.mark.proof if s.client == "franz-go" else ())
        for s in OTHER_CLIENTS.values()
    ],
)
def test_an_exact_prediction_is_the_only_valid_result(strategy: Strategy, every: int) -> None:
    called = [c for c in cases(strategy.name, every) if strategy.certainty_for(c.group) == EXACT]

    missed = [
        case.record["id"]
        for case in called
        if case.group.member_count > 1 and case.answers != [case.owned(strategy.assign(case.group))]
    ]

    assert not missed
