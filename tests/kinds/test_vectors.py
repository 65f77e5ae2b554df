"""The committed vectors, and the command that scores files of them."""

import gzip
import json
from pathlib import Path

import pytest

from tests.kinds.__main__ import main
from tests.kinds.vectors import GOLDEN, is_of, records_of, score

FILES = sorted(GOLDEN.glob("*.jsonl.gz"))


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_answer_is_kafkas(file: Path) -> None:
    found = score(file)

    assert found.wrong == ()
    assert found.total >= 100


def test_the_command_counts_what_is_right_and_fails_for_what_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    share = next(file for file in FILES if file.name == "share-simple.jsonl.gz")
    records = list(records_of(share))[:3]
    wrong = json.loads(json.dumps(records[0]))
    wrong["expected"] = {member: {} for member in wrong["expected"]}
    plain = tmp_path / "plain.jsonl"
    plain.write_text("\n".join(json.dumps(each) for each in (*records, wrong)))
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps(records[1]).encode()))

    status = main([str(plain), str(packed)])

    lines = capsys.readouterr().out.splitlines()
    assert status == 1
    assert lines[0] == "plain.jsonl: 3 of 4"
    assert lines[-1] == "packed.jsonl.gz: 1 of 1"
    assert main([str(packed)]) == 0


@pytest.mark.parametrize(
    ("name", "line", "is_older"),
    [
        ("share-simple-4.1.jsonl.gz", "x", True),
        ("kept-share-simple-41.jsonl", "x", True),
        ("part.jsonl", "share-simple-4110-7", True),
        ("share-simple.jsonl.gz", "share-simple-4110-7", False),
        ("part.jsonl", "share-simple-932-7", False),
    ],
)
def test_the_release_stands_in_the_names(name: str, line: str, is_older: bool) -> None:
    assert is_of("4.1", name, {"name": line}) == is_older
