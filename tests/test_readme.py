"""The README, and the documents that continue it, promise only what exists."""

import io
import re
import tomllib
from pathlib import Path

import pytest

import assign
from assignors.registry import STRATEGIES
from kafka_assignments.command import PARTS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_has_a_row_with_its_sources(name: str) -> None:
    table = (ROOT / "docs" / "strategies.md").read_text()

    row = next(line for line in table.splitlines() if line.startswith(f"| `{name}` |"))

    assert all(source in row for source in STRATEGIES[name].sources)
    assert STRATEGIES[name].protocol.short in row


def test_every_picture_and_make_command_it_names_exists() -> None:
    shown = {
        page.parent / picture
        for page in PAGES
        for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text())
    }
    commands = set(re.findall(r"\bmake ([a-z-]+)(?=`| +#)", README))
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert re.search(r"^!\[", README, re.MULTILINE)
    assert {path.resolve() for path in shown} == set((ROOT / "docs").glob("*.png"))
    assert {"run", "test", "test-proofs"} <= commands <= set(targets)


def test_it_is_a_page_and_leads_to_every_document() -> None:
    index = (ROOT / "docs" / "index.md").read_text()

    named = set(re.findall(r"\]\((\w[\w-]*\.md)\)", index))

    assert len(README.splitlines()) <= 160
    assert "](docs/index.md)" in README
    assert named == {page.name for page in PAGES} - {"README.md", "index.md"}


@pytest.mark.slow
def test_the_answer_that_it_shows_is_what_the_command_writes() -> None:
    found = re.search(
        r"^\$ python assign\.py (--answer \S+)\n(.*?)^```", README, re.DOTALL | re.MULTILINE
    )
    assert found is not None
    arguments, shown = found.groups()
    out = io.BytesIO()

    status = assign.main(arguments.split(), None, out, io.StringIO())

    written = out.getvalue().decode()
    figures = re.findall(r'"\w+": ?(?:"[^"]*"|[\d.]+\d|\[[^]]*\])', shown)
    assert status == assign.DONE
    assert len(figures) >= 12
    assert [each for each in figures if "".join(each.split()) not in "".join(written.split())] == []


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
