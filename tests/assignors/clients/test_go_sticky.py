"""What can be told of answers that vary, held against those that were seen."""

import numpy as np
import pytest

from assignors.clients.franz_go import franz_go_answers
from assignors.clients.go_sticky import SARAMA, go_sticky, of_sarama_sticky
from assignors.clients.kip_54 import are_claims_clear
from assignors.clients.registry import OTHER_CLIENTS
from assignors.numbering import Member, Topic, group_of
from assignors.quotas import held_by_each
from tests.golden_cases import Case, cases


def counts_of(case: Case) -> dict[str, int]:
    counts = held_by_each(go_sticky(case.group), case.group.member_count)
    return {m: n for m, n in zip(case.group.members, counts.tolist(), strict=True) if n}


@pytest.mark.parametrize("strategy", ["sarama-sticky", "franz-go-sticky"])
def test_as_many_members_get_each_count_as_in_every_answer_seen(strategy: str) -> None:
    clear = [case for case in cases(strategy) if are_claims_clear(case.group)]

    different = [
        case.record["id"]
        for case in clear
        if any(
            sorted(seen.values()) != sorted(counts_of(case).values())
            for seen in case.record["counts"]
        )
    ]

    assert len(clear) > 100
    assert not different


def test_each_member_of_sarama_gets_its_count_where_that_is_told() -> None:
    told = [case for case in cases("sarama-sticky") if of_sarama_sticky(case.group) == SARAMA]

    different = [c.record["id"] for c in told if any(s != counts_of(c) for s in c.record["counts"])]

    assert len(told) > 50
    assert not different


def test_franz_go_gives_one_of_two_answers_where_that_is_told() -> None:
    certainty = OTHER_CLIENTS["franz-go-sticky"].certainty_for
    of_two = [case for case in cases("franz-go-sticky") if certainty(case.group).answers == 2]

    assert len(of_two) > 3
    for case in of_two:
        possible = [case.owned(each) for each in franz_go_answers(case.group)]
        assert all(answer in possible for answer in case.answers)


def test_the_two_answers_of_franz_go_differ_in_whose_topic_comes_first() -> None:
    group = group_of({"a": Topic(1), "b": Topic(3)}, [Member(m, ["a", "b"]) for m in ("c0", "c1")])

    answers = [owners.tolist() for owners in franz_go_answers(group)]

    assert answers == [[0, 1, 1, 0], [0, 0, 1, 1]]
    assert len(franz_go_answers(group.owned_by(np.array([-1, 0, 0, 0], np.int32)))) == 1
