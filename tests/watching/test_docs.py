"""The document of watch has a section for each verdict, every metric and every option."""

import re
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest

from evaluation.verdict_kinds import VerdictKind
from tests.watching.simulated import SimulatedCluster, SimulatedGroup
from tests.watching.test_watch import Polled
from watching.command import options_parser
from watching.metrics import GroupCollector
from watching.webhook import Webhook

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "monitoring.md").read_text()


def published() -> set[str]:
    """Every family that can be published."""
    polled = Polled(SimulatedCluster([SimulatedGroup("g")]), per_consumer=True)
    polled.poll(2)
    registry = CollectorRegistry()
    webhook = Webhook("http://127.0.0.1:9/")
    registry.register(GroupCollector(polled.watch.found, webhook, 10_000))
    return set(re.findall(r"^# TYPE (\S+)", generate_latest(registry).decode(), re.MULTILINE))


def test_every_verdict_has_a_section_in_the_runbook() -> None:
    sections = re.findall(r"^### (\S+)$", TEXT, re.MULTILINE)

    assert sections == [kind.value for kind in VerdictKind]


def test_every_metric_is_in_the_table() -> None:
    prefix = "kafka_group_partition"
    told = {name.replace("...", prefix) for name in re.findall(r"`(kafka_\w+|\.\.\._\w+)`", TEXT)}

    assert published() == told


def test_every_option_is_in_the_table() -> None:
    options = re.findall(r"--[a-z-]+", options_parser().format_help())

    assert {*options} - {"--help"} <= {*re.findall(r"--[a-z-]+", TEXT)}
