"""What a source leaves open, and where a prediction hangs on it."""

from dataclasses import replace

import numpy as np
import pytest

from assignors.catalogue import strategies
from assignors.certainty import EXACT, Known
from assignors.model import Claims, Group
from evaluation.assuming.assumed import IF_NO_RACKS, NOTHING, Assumed, SubscriptionSource
from evaluation.rebalance.regroup import with_topic_sizes

RANGE = strategies()["range"]
STICKY = strategies()["sticky"]
ROUNDROBIN = strategies()["roundrobin"]
ALL = Assumed(subscriptions=SubscriptionSource.ALL_READ_ALL)


def test_what_a_source_says_is_exact() -> None:
    group = Group.fresh({"a": 1, "b": 2}, ["c0", "c1"])

    certainty = NOTHING.qualified(EXACT, group, RANGE)

    assert certainty == EXACT


@pytest.mark.parametrize(
    ("topics", "owners", "hangs"),
    [
        ({"a": 1, "b": 2}, [0, 0, 1], True),  # c1 owns nothing of a
        ({"a": 3}, [0, 0, 1], False),  # one topic
        ({"a": 2, "b": 2}, [0, 1, 0, 1], False),  # each owns of each
    ],
)
def test_a_prediction_hangs_on_subscriptions_where_they_can_differ(
    topics: dict[str, int], owners: list[int], *, hangs: bool
) -> None:
    group = Group.fresh(topics, ["c0", "c1"]).owned_by(np.array(owners))

    certainty = ALL.qualified(EXACT, group, ROUNDROBIN)

    assert (certainty.known is Known.CONDITIONAL) == hangs
    assert (certainty.text == "if all consumers read all topics") == hangs


def test_one_consumer_reads_what_it_owns_and_perhaps_more() -> None:
    group = Group.fresh({"a": 1, "b": 2}, ["c0"]).owned_by(np.array([0, 0, 0]))

    partial = group.owned_by(np.array([0, -1, -1]))

    assert ALL.qualified(EXACT, group, ROUNDROBIN) == EXACT
    assert ALL.qualified(EXACT, partial, ROUNDROBIN).known is Known.CONDITIONAL


def test_racks_matter_only_to_a_strategy_that_uses_them() -> None:
    group = Group.fresh({"a": 3}, ["c0", "c1"])
    unknown = Assumed(racks_unknown=True)

    conditions = [unknown.condition(group, each) for each in (RANGE, ROUNDROBIN)]

    assert conditions == [IF_NO_RACKS, ""]


def test_an_owner_is_unknown_until_a_claim_or_a_rebalance_names_it() -> None:
    unknown = np.array([False, True, True])
    nobody = Group.of(["a"], [3], ["c0"])
    claims = Claims.of(nobody.layout, rows=[[1]], is_owner_unknown=unknown)
    group = replace(nobody, claims=claims)

    assert group.is_owner_unknown.tolist() == [False, False, True]
    assert not group.owned_by(group.nobody()).is_owner_unknown.any()


def test_an_added_partition_is_known_to_have_no_owner() -> None:
    nobody = Group.of(["a"], [2], ["c0"])
    claims = Claims.of(nobody.layout, is_owner_unknown=[True, False])
    group = replace(nobody, claims=claims)

    grown = with_topic_sizes(group, {"a": 3, "0": 1}).group

    assert grown.is_owner_unknown.tolist() == [False, True, False, False]
