"""The README promises only what exists."""

import re
import tomllib
from pathlib import Path

import pytest

from assignors.registry import STRATEGIES
from kafka_assignments.command import PARTS

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


def test_the_three_lines_of_python_work(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)

    exec(program, {})  # noqa: S102 -- our own document

    assert capsys.readouterr().out == (
        "{'a': ('orders-0', 'orders-1', 'orders-2'), 'b': ('orders-3', 'orders-4', 'orders-5')}\n"
    )


def test_every_extra_and_command_it_names_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert set(re.findall(r"'\.\[(\w+)\]'", README)) <= set(project["optional-dependencies"])
    named = re.search(r"`kafka-assignments assign`((?:, `\w+`)+)", README)
    assert named is not None
    assert {"assign", *re.findall(r"\w+", named[1])} == set(PARTS)
