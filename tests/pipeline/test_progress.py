import json

import pytest

from pipeline.progress import Progress


def _through_two_stages(progress: Progress) -> None:
    with progress.stage("reading"):
        pass
    with progress.stage("writing"):
        pass
    progress.report("done")


def test_people_read_on_stderr_what_begins_and_how_much_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _through_two_stages(Progress(2))

    assert capsys.readouterr() == ("", "[0/2] reading\n[1/2] writing\n[2/2] done\n")


def test_programs_read_the_same_on_stdout_an_object_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _through_two_stages(Progress(2, as_json=True))

    told = capsys.readouterr()
    assert told.err == ""
    assert [json.loads(line) for line in told.out.splitlines()] == [
        {"stage": "reading", "done": 0, "total": 2},
        {"stage": "writing", "done": 1, "total": 2},
        {"stage": "done", "done": 2, "total": 2},
    ]
