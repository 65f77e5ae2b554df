"""Each second form gives the answers of the first, whatever is drawn."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.batch import lag_rounds
from assignors.java.hash_map import HashMap, Key
from assignors.java.hash_order import bucket_of, hash_map_order
from assignors.java.strings import string_hashes, string_key
from assignors.lag.based import topic_by_topic
from assignors.model import Group
from tests.groups import groups, tried

OF_ONE_HASH = ["".join(pairs) for pairs in product(("Aa", "BB"), repeat=4)]
MANY_KEYS = st.lists(st.text(max_size=2) | st.sampled_from(OF_ONE_HASH), max_size=60, unique=True)
Drawn = TypeVar("Drawn")


@st.composite
def many_rounds(draw: st.DrawFn) -> Group:
    """Draw a group of long topics with few and many subscribers."""
    member_count = draw(st.sampled_from([2, 3, 70]))
    largest = draw(st.sampled_from([0, 3, 10**6, 2**50]))
    sizes = draw(st.lists(st.integers(0, 300), min_size=1, max_size=4))
    topics = {f"t{t}": size for t, size in enumerate(sizes)}
    random = np.random.default_rng(draw(st.integers(0, 99)))
    lags = {
        name: random.integers(-2, largest, size, endpoint=True) for name, size in topics.items()
    }
    members = {
        f"c{m:02}": [name for name in topics if m % 7 or name != "t0"] for m in range(member_count)
    }
    return Group.fresh(topics, members, {name: each.tolist() for name, each in lags.items()})


def as_java_inserts(keys: Sequence[str]) -> list[int]:
    spread = bucket_of(string_hashes(keys), 1 << 32).view(np.int32).tolist()
    simulated = HashMap([Key(*key) for key in zip(spread, map(string_key, keys), strict=True)])
    for position in range(len(keys)):
        simulated.put(position)
    return simulated.order()


@pytest.mark.parametrize(
    ("drawn", "first", "second"),
    [
        pytest.param(groups(), topic_by_topic, lag_rounds.lag_based, id="lag-based"),
        pytest.param(many_rounds(), topic_by_topic, lag_rounds.lag_based, id="lag-based, long"),
        pytest.param(MANY_KEYS, as_java_inserts, hash_map_order, id="hash map"),
    ],
)
def test_second_forms_give_the_answers_of_the_first(
    drawn: st.SearchStrategy[Drawn],
    first: Callable[[Drawn], Sequence[int]],
    second: Callable[[Drawn], Sequence[int]],
) -> None:
    @given(drawn)
    @tried(200)
    def check(value: Drawn) -> None:
        assert list(second(value)) == list(first(value))

    check()
