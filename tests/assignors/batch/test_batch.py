"""Each batch form returns the same owners as the plain one."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.batch import lag_turns
from assignors.java.hash_map import HashMap, Key
from assignors.java.hash_order import bucket_of, hash_map_order
from assignors.java.strings import string_hashes, string_key
from assignors.lag.based import topic_by_topic
from tests.groups import groups, long_groups, tried

OF_ONE_HASH = ["".join(pairs) for pairs in product(("Aa", "BB"), repeat=4)]
MANY_KEYS = st.lists(st.text(max_size=2) | st.sampled_from(OF_ONE_HASH), max_size=60, unique=True)
Drawn = TypeVar("Drawn")


def as_java_inserts(keys: Sequence[str]) -> list[int]:
    spread = bucket_of(string_hashes(keys), 1 << 32).view(np.int32).tolist()
    simulated = HashMap([Key(*key) for key in zip(spread, map(string_key, keys), strict=True)])
    for position in range(len(keys)):
        simulated.put(position)
    return simulated.order()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("drawn", "first", "second"),
    [
        pytest.param(groups(), topic_by_topic, lag_turns.lag_based, id="lag-based"),
        pytest.param(long_groups(), topic_by_topic, lag_turns.lag_based, id="lag-based, long"),
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
