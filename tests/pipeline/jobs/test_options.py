"""Which strategies a job replays, as its options say."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest

from assignors.registry import STRATEGIES
from evaluation.assuming.clients import is_settable
from pipeline.jobs.options import BY_DEFAULT, add_strategies, in_order
from pipeline.jobs.stream import strategies_of
from pipeline.lake import Lake
from tests.fleets import small, write


def test_by_default_only_what_somebody_can_run_is_replayed() -> None:
    replayed = in_order(None)

    assert replayed == BY_DEFAULT
    assert {*STRATEGIES} - {*replayed} == {"sticky-kafka-12464", "sticky-kafka-9987", "lag-skew"}
    assert all(is_settable(STRATEGIES[n]) or STRATEGIES[n].plugin_class for n in replayed)


@pytest.mark.parametrize("name", ["sticky-kafka-12464", "sticky-kafka-9987", "lag-skew"])
def test_the_others_are_replayed_by_name(name: str) -> None:
    parser = ArgumentParser()
    add_strategies(parser)

    asked = parser.parse_args(["--strategies", f"{name},range"]).strategies

    assert in_order(asked) == ("range", name)


def test_a_stream_that_names_no_strategies_goes_on_with_those_of_its_tables(tmp_path: Path) -> None:
    lake = Lake(str(write(tmp_path / "fleet", small())))

    assert strategies_of(Lake(str(tmp_path / "new")), Namespace(strategies=None)) == BY_DEFAULT
    assert strategies_of(lake, Namespace(strategies=None)) == ("range", "roundrobin")
    assert strategies_of(lake, Namespace(strategies=[["fair"]])) == ("fair",)
