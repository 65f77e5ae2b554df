"""Texts of drawn groups: what is read is true or said to be unknown, whatever was left out."""

from random import Random

import pytest

from assignors.catalogue import strategies
from assignors.certainty import Known
from assignors.kinds import GroupKind
from assignors.model import UNOWNED, Group, Owners
from evaluation.reading import Reading
from sources.errors import SourceError
from sources.text import read_text
from tests.sources.drawn_texts import Drawn, drawn

_FEW = 300
_MANY = 100_000
_CHUNK = 2_000
"""Texts of one test, so that many texts show their progress and run side by side."""
_PREDICTED = tuple(strategies()[name] for name in ("range", "roundrobin", "cooperative-sticky"))


def _untrue(made: Drawn) -> list[str]:
    """Return what the reading of a text says that is not so.

    A text of which a row's beginning is left may be refused.
    """
    try:
        (reading,) = read_text(made.text)
    except SourceError:
        if made.is_cut:
            return []
        raise
    return [
        *_untrue_facts(reading.group, made.truth),
        *_untrue_members(reading, made),
        *_untrue_predictions(reading, made),
    ]


def _untrue_members(reading: Reading, made: Drawn) -> list[str]:
    """Return what is said of consumers and their strategy that is not so."""
    group, truth = reading.group, made.truth
    wrong = [
        f"consumer {name}"
        for name in group.members
        if name not in truth.members and not name.startswith("member-")
    ]
    is_counted = not (made.is_cut or reading.assumed.members_unknown)
    if is_counted and group.member_count != truth.member_count:
        wrong.append(f"{group.member_count} consumers")
    if reading.strategy not in {None, made.strategy}:
        wrong.append(f"strategy {reading.strategy}")
    if not group.member_count and truth.members and reading.kind is GroupKind.OFFSETS:
        wrong.append("no consumers")
    return wrong


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
    if made.is_cut or reading.hindrance or set(group.members) != set(truth.members):
        return []
    found = []
    for strategy in _PREDICTED:
        certainty = reading.assumed.qualified(strategy.certainty_for(group), group, strategy)
        if certainty.known is not Known.EXACT:
            continue
        if _named(group, strategy.settle(group)) != _named(truth, strategy.settle(truth)):
            found.append(f"{strategy.name} is exact")
    return found


def _named(group: Group, owners: Owners) -> dict[str, str]:
    names = (*group.members, "")
    return {group.partition_name(p): names[owner] for p, owner in enumerate(owners.tolist())}


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
@pytest.mark.parametrize("first", range(_FEW, _FEW + _MANY, _CHUNK))
def test_what_is_read_of_very_many_drawn_texts_is_true_or_unknown(first: int) -> None:
    _all_true(range(first, first + _CHUNK))
