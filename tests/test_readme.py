"""The README promises only what exists."""

import re
from pathlib import Path

import pytest

from assignors.registry import STRATEGIES

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_has_a_row_with_its_sources(name: str) -> None:
    row = next(line for line in README.splitlines() if line.startswith(f"| `{name}` |"))

    assert all(source in row for source in STRATEGIES[name].sources)
    assert STRATEGIES[name].protocol.short in row


def test_every_picture_and_make_command_it_names_exists() -> None:
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", README)
    commands = set(re.findall(r"\bmake (run|test|bench|[a-z]+ing)\b", README))
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)
    assert {"run", "test"} <= commands <= set(targets)
