"""Every guided history has the outcome stated in its file."""

from collections.abc import Iterator

import numpy as np
import pytest

from assignors.registry import STRATEGIES
from evaluation.metrics import count_per_member, figures_of
from evaluation.rebalance.simulation import Rebalance, simulate_history
from sources.histories import GUIDES, Expected, Guide


def _cases() -> Iterator[object]:
    for guide in GUIDES:
        for outcome in guide.expected:
            name = f"{guide.id}-{outcome.strategy}-{outcome.step}"
            yield pytest.param(guide, outcome, id=name)


def _named(found: Rebalance, is_chosen: np.typing.NDArray[np.bool_]) -> list[str]:
    return [found.group.partition_name(p) for p in np.flatnonzero(is_chosen).tolist()]


def _told(found: Rebalance) -> dict[str, object]:
    group, after = found.group, found.after
    row = figures_of(group, after)
    return {
        "moved": found.moved,
        "fewest": found.fewest,
        "rounds": len(found.rounds),
        "off_rack": row.off_rack,
        "idle": row.idle,
        "paused": _named(found, found.is_paused),
        "assignment": {name: list(owned) for name, owned in group.named(after).items()},
        "between": {
            name: list(owned) for name, owned in group.named(found.rounds[0].owners).items()
        }
        if found.rounds
        else None,
        "counts": dict(zip(group.members, count_per_member(group, after).tolist(), strict=True)),
    }


@pytest.mark.parametrize(("guide", "outcome"), list(_cases()))
def test_a_guided_history_has_the_outcome_in_its_file(guide: Guide, outcome: Expected) -> None:
    steps = simulate_history(guide.reading.group, guide.events, STRATEGIES[outcome.strategy])

    told = _told(steps[outcome.step].rebalance)

    expected = {name: value for name in told if (value := getattr(outcome, name)) is not None}
    assert expected
    assert {name: told[name] for name in expected} == expected


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.id)
def test_every_strategy_can_replay_every_guided_history(guide: Guide) -> None:
    for strategy in STRATEGIES.values():
        steps = simulate_history(guide.reading.group, guide.events, strategy)

        assert len(steps) == len(guide.events) + 1


def test_ids_and_titles_are_unique() -> None:
    assert len({guide.id for guide in GUIDES}) == len({guide.title for guide in GUIDES})
    assert len({guide.id for guide in GUIDES}) == len(GUIDES)
