"""The documents beside the README name only what exists."""

import re
from pathlib import Path
from typing import Any

import pytest

from assignors.catalogue import ENTRY_POINTS
from assignors.model import Group
from assignors.rules import check
from evaluation.explain.explainer import Explainer
from sources.budget import LIMITS
from sources.links import MOST_CHARACTERS, MOST_LETTERS
from sources.pastes.consumer_log import LOGS
from sources.pastes.exporters import METRICS
from sources.text import PASTES, read_text

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]


def normalized(name: str) -> str:
    """Return a package's name as PyPI compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_installed_package_has_its_licence_in_the_table() -> None:
    pins = (ROOT / "requirements.txt").read_text().splitlines()
    table = (ROOT / "docs" / "licences.md").read_text()

    listed = {normalized(name) for name in re.findall(r"^\| ([\w.-]+) +\| \w", table, re.MULTILINE)}

    assert {normalized(pin.partition("==")[0]) for pin in pins} <= listed


def test_the_limits_are_those_of_the_code() -> None:
    text = (ROOT / "SECURITY.md").read_text()

    for name in ("partitions", "members", "subscriptions", "groups", "characters", "rows"):
        row = next(line for line in text.splitlines() if f"--limit {name}=N" in line)
        assert f"{getattr(LIMITS, name):,}" in row


def test_the_limits_of_links_are_those_of_the_code() -> None:
    text = (ROOT / "SECURITY.md").read_text()

    assert f"| characters of a link | {MOST_CHARACTERS:,} | |" in text
    assert f"| characters of all names in a link, each counted once | {MOST_LETTERS:,} | |" in text


def test_every_promise_of_security_names_tests_that_exist() -> None:
    text = (ROOT / "SECURITY.md").read_text()
    promised = re.split(r"\n- ", text.partition("## What holds")[2].partition("\n## ")[0])[1:]
    defined = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }

    assert len(promised) >= 12
    assert all(re.search(r"Held by\s+`test_", promise) for promise in promised)
    assert set(re.findall(r"`(test_\w+)`", text)) <= defined


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_file_a_document_links_to_exists(document: Path) -> None:
    links = re.findall(r"\]\(([^):#]+)(?:#[^)]*)?\)", document.read_text())
    files = re.findall(
        r"`((?:ui|sources|tests|pipeline|schemas)/[\w/]+\.\w+)`", document.read_text()
    )

    assert all((document.parent / link).exists() for link in links)
    assert all((ROOT / file).exists() for file in files)


@pytest.mark.parametrize("language", ["json", "csv"])
def test_the_examples_of_formats_are_read_whole(language: str) -> None:
    text = (ROOT / "docs" / "formats.md").read_text()

    (example,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    (reading,) = read_text(example)

    assert not reading.ignored
    assert reading.group.lags.size == 3
    assert int(reading.group.is_lag_known.sum()) == 2


def test_every_format_that_is_read_is_in_the_document() -> None:
    text = (ROOT / "docs" / "formats.md").read_text()
    exporters = {exporter for _, exporter in METRICS.values()}

    assert all(f"**{name}**" in text for name in PASTES)
    assert all(name in text for name in exporters | {log.client for log in LOGS})


def test_the_example_of_a_strategy_of_your_own_works() -> None:
    text = (ROOT / "docs" / "strategies-of-your-own.md").read_text()
    (module,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}

    exec(module, names)  # noqa: S102 -- our own document

    strategy = names["LAST_SUBSCRIBER"]
    group = Group.fresh({"t": 2, "u": 1}, {"a": ["t"], "b": ["t", "u"]})
    assert check(group, strategy.settle(group)).tolist() == [1, 1, 1]
    assert Explainer(group, strategy).explain(2).decision.endswith("newest machine. b gets it.")
    assert ENTRY_POINTS in text
    assert strategy.name in text.partition("--strategies range ")[2]
