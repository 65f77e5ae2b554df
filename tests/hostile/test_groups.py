"""Every strategy on very many random groups, compared with rules in plain Python."""

from typing import Final

import pytest

from assignors.registry import STRATEGIES
from tests.hostile.groups import broken_rules, question

EVERY_DAY: Final = 500
IN_CI: Final = 2_000
DEEP: Final = 1_000_000
_PART: Final = 25_000


def _all_obey(numbers: range) -> None:
    for number in numbers:
        asked = question(number)
        group = asked.group()
        for strategy in STRATEGIES.values():
            wrong = broken_rules(asked, strategy, group.named(strategy.settle(group)))
            assert not wrong, f"group {number} under {strategy.name}: {wrong}"


def test_every_strategy_obeys_the_rules_on_random_groups() -> None:
    _all_obey(range(EVERY_DAY))


@pytest.mark.proof
def test_every_strategy_obeys_the_rules_on_more_random_groups() -> None:
    _all_obey(range(EVERY_DAY, IN_CI))


@pytest.mark.deep
@pytest.mark.parametrize("start", range(IN_CI, DEEP, _PART))
def test_every_strategy_obeys_the_rules_on_a_million_groups(start: int) -> None:
    _all_obey(range(start, min(start + _PART, DEEP)))
