"""ARCHITECTURE.md and CONTRIBUTING.md name only what exists."""

import ast
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (
    *("assignors", "assistant", "charts", "evaluation", "live", "pipeline", "processes", "schemas"),
    *("sources", "ui", "watching"),
)
ARCHITECTURE, CONTRIBUTING = (
    (ROOT / name).read_text() for name in ("ARCHITECTURE.md", "CONTRIBUTING.md")
)
NAMED = sorted(set(re.findall(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`", ARCHITECTURE)))


@pytest.mark.parametrize("name", NAMED)
def test_everything_it_names_exists(name: str) -> None:
    resolve_name(name)  # raises if it does not exist


@pytest.mark.parametrize("text", [ARCHITECTURE, CONTRIBUTING], ids=["architecture", "contributing"])
def test_every_file_folder_and_command_it_names_exists(text: str) -> None:
    paths = set(re.findall(r"(?<![\w./])((?:[a-z_]+/)+[a-z_-]*(?:\.py|\.md)?)(?![\w/])", text))
    commands = set(re.findall(r"\bmake ([a-z-]+)", text))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    inner = {folder.name for package in PACKAGES for folder in (ROOT / package).iterdir()}

    assert commands <= targets
    assert not [
        path for path in paths if not (ROOT / path).exists() and path.rstrip("/") not in inner
    ]


def test_the_steps_of_each_journey_are_numbered() -> None:
    sections = ARCHITECTURE.split("\n## ")
    journeys = [text for text in sections if text.startswith(("From ", "A question "))]

    steps = [re.findall(r"^(\d+)\.", journey, re.MULTILINE) for journey in journeys]

    assert steps
    assert all(found == [str(n) for n in range(1, len(found) + 1)] for found in steps)
    assert all(steps)


def test_every_package_is_on_the_map() -> None:
    packages = [import_module(name) for name in PACKAGES]

    missing = [package.__name__ for package in packages if not _is_on_the_map(package)]

    assert not missing


def _is_on_the_map(package: ModuleType) -> bool:
    return f"| `{package.__name__}/`" in ARCHITECTURE


_SAME_IN_TWO_CLIENTS = {"LoadStickyAssignor"}
"""What users write in their consumers, under aiokafka and kafka-python alike."""


@pytest.mark.slow
def test_no_two_public_classes_have_the_same_name() -> None:
    homes = defaultdict(list)
    for file in _sources():
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(file.relative_to(ROOT).as_posix())

    repeated = {name: files for name, files in homes.items() if len(files) > 1}

    assert homes
    assert repeated.keys() <= _SAME_IN_TWO_CLIENTS, repeated


def _sources() -> list[Path]:
    folders = (*PACKAGES, "benchmarks", "kafka_assignments", "pages", "plugins")
    return [*ROOT.glob("*.py"), *(f for each in folders for f in (ROOT / each).rglob("*.py"))]
