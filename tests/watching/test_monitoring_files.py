"""The files of docs/monitoring name only metrics, options and sections that exist."""

import json
import re
import shlex
import subprocess
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest
import yaml

from evaluation.severity import Severity
from kafka_assignments.command import PARTS
from tests.metrics.real_prometheus import programs
from tests.watching.test_docs import published
from watching.command import options_parser

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "docs" / "monitoring"
RULES: Final = yaml.safe_load((FOLDER / "alerts.yml").read_text())
DASHBOARD: Final = json.loads((FOLDER / "grafana" / "kafka-groups.json").read_text())
COMPOSE: Final = yaml.safe_load((FOLDER / "compose.yml").read_text())


def expressions() -> list[str]:
    rules = [rule["expr"] for group in RULES["groups"] for rule in group["rules"]]
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    variables = [
        each["query"]["query"]
        for each in DASHBOARD["templating"]["list"]
        if each["type"] == "query"
    ]
    return rules + panels + variables


def test_every_metric_in_rules_and_dashboard_is_published() -> None:
    named = {name for text in expressions() for name in re.findall(r"\bkafka_\w+", text)}

    assert len(named) > 12
    assert named <= published()


def test_every_severity_in_an_expression_is_one() -> None:
    named = {
        severity
        for text in expressions()
        for found in re.findall(r'severity=~?"([^"]+)"', text)
        for severity in found.split("|")
    }

    assert named <= {severity.name.lower() for severity in Severity}


def test_every_runbook_of_a_rule_is_a_section() -> None:
    text = (ROOT / "docs" / "monitoring.md").read_text()
    sections = set(re.findall(r"^### (\S+)$", text, re.MULTILINE))

    for group in RULES["groups"]:
        for rule in group["rules"]:
            runbook = rule["annotations"].get("runbook", "")
            anchor = runbook.partition("#")[2]
            assert anchor in {"", "{{ $labels.kind }}"} | sections


def test_no_panel_of_the_dashboard_lies_on_another() -> None:
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]

    assert len(set(numbers)) == len(numbers)
    assert all(at["x"] >= 0 and at["x"] + at["w"] <= 24 for at in places)
    assert not [pair for pair in combinations(places, 2) if overlap(*pair)]


def overlap(one: dict[str, int], other: dict[str, int]) -> bool:
    is_beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
    is_below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
    return not (is_beside or is_below)


def test_the_dashboard_has_what_grafana_asks_of_each_panel() -> None:
    assert {"title", "uid", "schemaVersion", "panels", "templating", "time"} <= DASHBOARD.keys()
    variables = {each["name"] for each in DASHBOARD["templating"]["list"]}
    used = set(re.findall(r"\$\{?(\w+)", json.dumps(DASHBOARD["panels"])))

    assert used == variables == {"datasource", "group"}
    for panel in DASHBOARD["panels"]:
        assert panel["type"] in {"stat", "table", "timeseries"}
        assert panel["title"]
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        assert [each["refId"] for each in panel["targets"]] == list("AB")[: len(panel["targets"])]


def commands() -> list[list[str]]:
    """Every command of the unit, the compose file and the image."""
    unit = (FOLDER / "kafka-assignments-watch.service").read_text()
    (started,) = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    (usual,) = re.findall(r"^CMD (\[.+\])$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    ours = [each["command"] for each in COMPOSE["services"].values() if "build" in each]
    return [shlex.split(started)[1:], json.loads(usual), *ours]


def test_every_command_is_one_and_takes_its_options(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("https://hooks.example.com/kafka\n")

    started = commands()

    assert {words[0] for words in started} == {"watch", "dashboard"}
    assert {words[0] for words in started} <= PARTS.keys()
    for words in started:
        if words[0] == "watch":
            real = [re.sub(r"^\$\{CREDENTIALS_DIRECTORY\}/.*", str(secret), each) for each in words]
            assert options_parser().parse_args(real[1:]).bootstrap_server


def test_every_file_that_is_mounted_or_copied_exists() -> None:
    mounted = [
        volume.partition(":")[0]
        for service in COMPOSE["services"].values()
        for volume in service.get("volumes", [])
    ]
    prometheus = yaml.safe_load((FOLDER / "prometheus.yml").read_text())

    assert len(mounted) == 5
    assert all((FOLDER / name).is_file() for name in mounted + prometheus["rule_files"])
    assert (ROOT / "requirements-page.txt").is_file()


def test_the_addresses_between_the_services_are_theirs() -> None:
    text = "".join(each.read_text() for each in sorted(FOLDER.rglob("*.yml")))

    named = set(re.findall(r"\b(kafka|watch|prometheus|grafana|page):\d+", text))

    assert named
    assert named <= COMPOSE["services"].keys()


@pytest.mark.proof
@pytest.mark.needs("prometheus")
def test_prometheus_takes_the_rules_and_its_configuration() -> None:
    tool = str(programs() / "promtool")
    for words in (["rules", "alerts.yml"], ["config", "prometheus.yml"]):
        checked = subprocess.run(  # noqa: S603 -- Debian's own tool
            [tool, "check", *words], cwd=FOLDER, capture_output=True, text=True, check=False
        )
        assert checked.returncode == 0, checked.stdout + checked.stderr
