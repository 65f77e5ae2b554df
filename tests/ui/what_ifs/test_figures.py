"""What a what-if starts from: the strategy that runs, or the client's default."""

import pytest

from assignors.catalogue import strategy_called
from assignors.model import Group
from evaluation.answering.answer import Answer
from evaluation.reading import Reading
from evaluation.what_if import Asked, WhatIf
from ui.answers import answer_as_read
from ui.what_ifs.figures import ScenarioCell, cells

RANGES = [0, 0, 1, 1]
NO_RULE_GIVES = [1, 0, 0, 0]
STICKY = WhatIf(strategy=strategy_called("cooperative-sticky"))
TO_STICKY = "one rolling restart (defaults since Kafka 3.0) or two"


def answered(owners: list[int] | None) -> Answer:
    """Return the answer on four partitions and two consumers; None: nobody owns any."""
    lags = [40, 40, 10, 10]
    group = (
        Group.of(["t"], [4], ["a", "b"], lags=lags)
        if owners is None
        else Group.of(["t"], [4], ["a", "b"], owners=owners, lags=lags)
    )
    return answer_as_read(Reading(group=group, format="test", rows=4))


def cell(owners: list[int] | None, what_if: WhatIf) -> ScenarioCell:
    (found,) = cells(Asked((what_if,)), answered(owners))
    return found


@pytest.mark.parametrize(
    ("owners", "what_if", "way"),
    [
        (RANGES, WhatIf(), "nothing changes"),
        (RANGES, WhatIf(consumers=1), "the next rebalance"),
        (RANGES, STICKY, TO_STICKY),
        (NO_RULE_GIVES, WhatIf(consumers=1), "the next rebalance"),
        (NO_RULE_GIVES, STICKY, TO_STICKY),
        (None, WhatIf(consumers=1), "the first start"),
        (None, STICKY, "the first start"),
    ],
)
def test_the_way_starts_from_what_runs_or_from_the_clients_default(
    owners: list[int] | None, what_if: WhatIf, way: str
) -> None:
    assert cell(owners, what_if).way == way


@pytest.mark.parametrize("owners", [RANGES, NO_RULE_GIVES])
def test_only_a_switch_is_simulated_as_restarts(owners: list[int]) -> None:
    more, switch = cell(owners, WhatIf(consumers=1)), cell(owners, STICKY)

    assert more.outcome.outlook is None
    assert switch.outcome.outlook is not None


def test_of_a_strategy_that_nothing_tells_it_is_said_which_one_is_assumed() -> None:
    assumed = cell(NO_RULE_GIVES, WhatIf(consumers=1))

    assert assumed.strategy is strategy_called("range")
    assert assumed.notes == ("The running strategy is unknown; Range is assumed.",)
    assert cell(RANGES, WhatIf(consumers=1)).notes == ()
    assert cell(NO_RULE_GIVES, STICKY).notes == ()
