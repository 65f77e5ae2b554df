"""Print what every table and column holds: a page of documentation, or sources for dbt."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from schemas.tables import ROWS, TABLES, columns, comments


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    what = "markdown: a page for people (default); dbt: a sources.yml"
    parser.add_argument("--format", choices=tuple(_FORMATS), default="markdown", help=what)


def main(options: Namespace) -> None:
    """Print the tables, which are the same wherever they are kept."""
    sys.stdout.writelines(f"{line}\n" for line in _FORMATS[options.format]())


def _described(table: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and comment of each column; without its own, that of the same name."""
    known: dict[str, str] = {}
    for ddl in TABLES.values():
        known = {name: comment for name, comment in comments(ddl).items() if comment} | known
    own = comments(TABLES[table])
    for name, kind in columns(TABLES[table]).items():
        yield name, kind, own[name] or known.get(name, "")


def _as_markdown() -> Iterator[str]:
    yield "# Tables"
    yield ""
    yield (
        "Printed by `python -m pipeline tables`. Null means unknown, never zero; times are UTC. "
        "Tables with a `day`, the UTC day of `snapshot_at`, are partitioned by it."
    )
    for table, row in ROWS.items():
        yield from ("", f"## `{table}`", "", f"One row: {row}.", "")
        yield from ("| column | type | |", "|---|---|---|")
        for name, kind, comment in _described(table):
            yield f"| `{name}` | `{kind}` | {comment} |"


def _as_dbt() -> Iterator[str]:
    """Yield a ``sources.yml``; its strings are JSON's, which YAML reads as they are."""
    yield "# Printed by: python -m pipeline tables --format dbt"
    yield from ("version: 2", "sources:", "  - name: kafka_assignments", "    tables:")
    for table, row in ROWS.items():
        yield f"      - name: {table}"
        yield f"        description: {_quoted(f'One row: {row}.')}"
        yield "        columns:"
        for name, kind, comment in _described(table):
            yield f"          - name: {name}"
            yield f"            data_type: {_quoted(kind)}"
            if comment:
                yield f"            description: {_quoted(comment)}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_FORMATS: Final[Mapping[str, Callable[[], Iterator[str]]]] = MappingProxyType(
    {"markdown": _as_markdown, "dbt": _as_dbt}
)
