"""What the tables hold is printed from their schemas, for people and for dbt."""

import pytest
import yaml

from pipeline.__main__ import main
from schemas.tables import ROWS, TABLES, columns, comments
from tests.pipeline.processes import REPOSITORY


@pytest.mark.parametrize(
    ("words", "file"), [((), "docs/tables.md"), (("--format", "dbt"), "docs/dbt/sources.yml")]
)
def test_the_documents_are_what_the_command_prints(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], file: str
) -> None:
    assert main(["tables", *words]) == 0

    printed = capsys.readouterr().out
    assert (REPOSITORY / file).read_text() == printed, f"write it anew: pipeline tables > {file}"


def test_dbt_s_sources_name_every_column_with_its_type() -> None:
    (source,) = yaml.safe_load((REPOSITORY / "docs/dbt/sources.yml").read_text())["sources"]

    assert [table["name"] for table in source["tables"]] == [*TABLES] == [*ROWS]
    for table in source["tables"]:
        found = {column["name"]: column for column in table["columns"]}
        ddl = TABLES[table["name"]]
        assert {name: column["data_type"] for name, column in found.items()} == columns(ddl)
        for name, comment in comments(ddl).items():
            assert comment in ("", found[name].get("description"))
    assert source["tables"][2]["columns"][0]["description"] == "cluster name"
