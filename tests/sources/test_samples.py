import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group, Owners
from assignors.naming import assignment_of
from assignors.registry import STRATEGIES
from assignors.rules import check
from evaluation import metrics
from evaluation.comparing.outcomes import at_next_rebalance
from evaluation.measuring.facts import facts_of
from evaluation.measuring.partition_times import partition_times
from sources.errors import SourceError
from sources.samples import LARGE, PASTE, SAMPLES, large, load, shows_weakness
from sources.text import read_text
from tests.named import named

FOLDER = Path(__file__).parent.parent.parent / "sample_data"


def _expectations() -> list[tuple[str, str, dict[str, Any]]]:
    found = []
    for sample in SAMPLES:
        if sample.id != LARGE:
            document = msgspec.json.decode((FOLDER / f"{sample.id}.json").read_bytes())
            found += [(sample.id, *item) for item in document.get("expected", {}).items()]
    return found


def _assignment(group: Group, owners: Owners) -> dict[str, list[list[object]]]:
    named = assignment_of(group, owners)
    return {member: [list(each) for each in partitions] for member, partitions in named.items()}


@pytest.mark.parametrize("id_", [sample.id for sample in SAMPLES])
def test_every_sample_opens_and_every_strategy_has_a_result(id_: str) -> None:
    reading = load(id_)

    outcomes = at_next_rebalance(reading.group, list(STRATEGIES.values()))

    assert reading.ignored == ()
    assert len(outcomes) == len(STRATEGIES)


@pytest.mark.parametrize(("id_", "strategy", "expected"), _expectations())
def test_a_sample_has_the_results_stated_in_its_file(
    id_: str, strategy: str, expected: dict[str, Any]
) -> None:
    group = load(id_).group

    (outcome,) = at_next_rebalance(group, named(strategy))

    coming = STRATEGIES[strategy].assign(group)
    owners, members = outcome.owners, group.members
    found: dict[str, object] = {
        "assignment": _assignment(group, check(group, coming, complete=False)),
        "target": _assignment(group, owners),
        "counts": dict(zip(members, metrics.count_per_member(group, owners), strict=True)),
        "lag": dict(zip(members, metrics.lag_per_member(group, owners), strict=True)),
    }
    for name, value in expected.items():
        assert (found[name] if name in found else getattr(outcome.figures, name)) == value


def test_an_example_shows_the_weakness_of_every_strategy() -> None:
    named = [name for sample in SAMPLES for name in sample.weakness_of]

    assert sorted(named) == sorted(ALL_STRATEGIES)
    for strategy in ALL_STRATEGIES.values():
        example = shows_weakness(strategy)
        assert example is not None
        assert strategy.name in example.weakness_of


def test_the_index_lists_every_file_once_and_nothing_else() -> None:
    files = {path.stem for path in FOLDER.glob("*.json")} - {
        "index",
        "events",
        "gallery",
        "simulation",
    }

    ids = [sample.id for sample in SAMPLES]

    assert sorted(ids) == sorted({*files, LARGE})


def test_every_sample_has_a_title_and_a_provenance_that_the_readme_repeats() -> None:
    readme = (FOLDER / "README.md").read_text()

    untold = [sample.id for sample in SAMPLES if f"| {sample.provenance} |" not in readme]

    assert untold == []
    assert all(sample.title and sample.look_at for sample in SAMPLES)


def test_the_first_sample_tells_the_strategies_apart() -> None:
    group = load(SAMPLES[0].id).group

    names = ["range", "roundrobin", "lag-based", "sticky"]
    figures = [outcome.figures for outcome in at_next_rebalance(group, named(*names))]

    assert len({(each.max_lag, each.max_count, each.moved) for each in figures}) == len(names)
    assert figures[0].count_spread > figures[1].count_spread
    assert (figures[3].moved or 0) * 2 < (figures[0].moved or 0)


def test_the_large_sample_is_the_same_each_time() -> None:
    first, second = large(), large()

    assert (first.partition_count, first.member_count) == (10_000, 500)
    assert np.array_equal(first.lags, second.lags)


def test_the_sample_paste_is_read_whole() -> None:
    (reading,) = read_text(PASTE.read_text())

    assert reading.rows == 13
    assert reading.group.member_count == 5
    assert np.count_nonzero(~reading.group.is_lag_known) == 1
    assert [line for line, _ in reading.ignored if line > 2] == []


def test_an_unknown_sample_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SourceError, match=re.escape("did you mean 'kip-49'?")):
        load("kip49")


def test_the_first_example_has_a_busy_partition_and_the_second_is_quiet() -> None:
    found = []
    for sample in SAMPLES[:2]:
        reading = load(sample.id)
        assert reading.history is not None
        assert np.diff(reading.history.times_s).tolist() == [60, 60]
        times = partition_times(reading.group, reading.history)
        facts = facts_of(reading.group, reading.history, times)
        found.append((reading.group, times, facts))

    (busy, times, facts), (quiet, late, _) = found
    hot = int(np.argmax(times.produced))
    owner = busy.present_owners[hot]
    arriving = times.produced[busy.present_owners == owner].sum()
    # 760 and twelve others, 554, for a consumer that reads 1,000.
    assert busy.partition_name(hot) == "clicks-14"
    assert times.produced[hot] == pytest.approx(760, abs=0.1)
    assert arriving == pytest.approx(1_314.4, abs=0.1)
    assert facts.reading[owner] == pytest.approx(1_000, abs=0.5)
    assert int((metrics.count_per_member(busy, busy.present_owners) == 0).sum()) == 2
    # Nothing is further behind than three seconds: all keep up.
    assert (busy.partition_count, quiet.partition_count) == (134, 134)
    assert np.nanmax(late.age_s) <= 3
