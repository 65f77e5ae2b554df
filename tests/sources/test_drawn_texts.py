"""Texts of drawn groups: what is read is true or said to be unknown, whatever was left out."""

from random import Random

import numpy as np
import pytest

from assignors.catalogue import strategies
from assignors.certainty import Known
from assignors.model import UNOWNED, Group
from sources.reading import Reading
from sources.text import read_text
from tests.sources.drawn_texts import Drawn, drawn

_FEW = 300
_MANY = 100_000
_PREDICTED = tuple(strategies()[name] for name in ("range", "roundrobin", "cooperative-sticky"))


def _untrue(made: Drawn) -> list[str]:
    """Return what the reading of a text says that is not so."""
    (reading,) = read_text(made.text)
    return [*_untrue_facts(reading.group, made.truth), *_untrue_predictions(reading, made)]


def _untrue_facts(group: Group, truth: Group) -> list[str]:
    owner_of = dict(
        zip(
            map(truth.partition_name, range(truth.partition_count)),
            truth.present_owners,
            strict=True,
        )
    )
    lag_of = dict(zip(owner_of, truth.lags.tolist(), strict=True))
    wrong = [f"topic {name}" for name in group.topics if name not in truth.topics]
    for partition in range(group.partition_count):
        name, owner = group.partition_name(partition), int(group.present_owners[partition])
        if name not in owner_of:
            wrong.append(f"partition {name}")
            continue
        true = int(owner_of[name])
        if owner != UNOWNED and (true == UNOWNED or group.members[owner] != truth.members[true]):
            wrong.append(f"owner of {name}")
        if owner == UNOWNED and not group.is_owner_unknown[partition] and true != UNOWNED:
            wrong.append(f"nobody owns {name}")
        if group.is_lag_known[partition] and group.lags[partition] != lag_of[name]:
            wrong.append(f"lag of {name}")
    return wrong


def _untrue_predictions(reading: Reading, made: Drawn) -> list[str]:
    """Return the strategies whose prediction is called exact and is not.

    A text cut where the whole text of a smaller group ends is left out: it says nothing wrong.
    """
    group, truth = reading.group, made.truth
    if made.is_cut or group.members != truth.members or not truth.members:
        return []
    found = []
    for strategy in _PREDICTED:
        certainty = reading.assumed.qualified(strategy.certainty_for(group), group, strategy)
        if certainty.known is not Known.EXACT:
            continue
        if group.topics != truth.topics or not np.array_equal(
            strategy.settle(group), strategy.settle(truth)
        ):
            found.append(f"{strategy.name} is exact")
    return found


def _all_true(seeds: range) -> None:
    for seed in seeds:
        made = drawn(Random(seed))  # noqa: S311 -- its seed draws it again

        untrue = _untrue(made)

        assert untrue == [], f"seed {seed}:\n{made.text}"


@pytest.mark.slow
def test_what_is_read_of_a_drawn_text_is_true_or_unknown() -> None:
    _all_true(range(_FEW))


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_what_is_read_of_very_many_drawn_texts_is_true_or_unknown() -> None:
    _all_true(range(_FEW, _FEW + _MANY))
