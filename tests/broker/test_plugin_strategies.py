"""The Java form of our own strategies, partition by partition the same as the Python one."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import msgspec
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from sources.group_json import as_json
from tests.broker.java_harness import Harness
from tests.broker.plugin_drawn import drawn_group, drawn_groups, here
from tests.golden_cases import cases

pytestmark = pytest.mark.needs("broker")

_PORTED: Final = ("fair", "lag-based", "lag-capped", "load-sticky")
_DAILY, _DEEP = 300, 10_000
_RARE: Final = 1994
"""A group for which lag-capped ends lower from round robin."""


@pytest.mark.parametrize("strategy", _PORTED)
def test_drawn_groups_get_the_same_owners_in_java(harness: Harness, strategy: str) -> None:
    _agree(harness, strategy, chain(drawn_groups(_DAILY), [drawn_group(_RARE)]))


@pytest.mark.deep
@pytest.mark.parametrize("strategy", _PORTED)
def test_ten_thousand_groups_get_the_same_owners_in_java(harness: Harness, strategy: str) -> None:
    _agree(harness, strategy, drawn_groups(_DEEP))


@pytest.mark.proof
@pytest.mark.parametrize("strategy", _PORTED)
def test_the_groups_of_all_golden_vectors_get_the_same_owners_in_java(
    harness: Harness, strategy: str
) -> None:
    names = ("sticky", "lag-based", "fair", "cooperative-sticky")

    _agree(harness, strategy, (case.group for name in names for case in cases(name)))


def _agree(harness: Harness, strategy: str, groups: Iterator[Group]) -> None:
    different = [
        group.id
        for group in groups
        if in_java(harness, strategy, group) != here(STRATEGIES[strategy].settle, group)
    ]

    assert not different


def in_java(harness: Harness, strategy: str, group: Group) -> dict[str, list[list[Any]]]:
    """Return each member's partitions by the Java form."""
    case = msgspec.json.decode(msgspec.json.encode(as_json(group)))
    answer = harness.ask("own", case={**case, "strategy": strategy})
    return {member: sorted(held) for member, held in answer.items()}
