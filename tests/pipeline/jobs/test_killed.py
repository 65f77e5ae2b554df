import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pipeline.processes import await_stage, command, kill, started
from tests.pipeline.telemetry import tables_in, write_parquet


def _await(happens: Callable[[], bool]) -> None:
    while not happens():
        time.sleep(0.001)


@pytest.mark.timeout(900)  # seven runs, each with a Java of its own
def test_a_run_killed_anywhere_changes_nothing_and_the_next_one_everything(
    tmp_path: Path, run: Callable[..., Path], undisturbed: dict[str, list[str]]
) -> None:
    output = run(write_parquet(tmp_path / "before", 1), tmp_path / "out")
    before = tables_in(output)
    source = write_parquet(tmp_path / "in", 1, 2)
    versions = output / "_versions"

    def parts() -> int:  # the workers', while they replay
        return sum(1 for _ in versions.glob("*/member_load/**/*.parquet"))

    stages = ("starting Spark", "reading", "replaying", "its parts", "writing rejected", "checking")
    for stage in stages:
        with started(command(source, output)) as process:
            await_stage(process, "replaying" if stage == "its parts" else stage)
            if stage == "its parts":
                _await(lambda: parts() > 1)  # one is of the version before
            kill(process)
        assert tables_in(output) == before, stage
        there = {path.stem for path in versions.iterdir()}
        assert len(there) == 2, "one is current, one was abandoned"

    abandoned = versions / "000001-0000dead"
    abandoned.mkdir()
    for number in range(10_000):
        (abandoned / str(number)).touch()
    with started(command(source, output)) as process:
        _await(lambda: sum(1 for _ in abandoned.iterdir()) < 10_000)
        kill(process)
    assert tables_in(output) == before, "sweeping"

    with started(command(source, output)) as process:
        process.communicate()
    assert process.returncode == 0
    assert tables_in(output) == undisturbed
    assert len(list(versions.iterdir())) == 2, "the present one and the one before"


def test_a_run_that_is_told_to_end_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    output = tmp_path / "out"

    with started(command(write_parquet(tmp_path / "in", 1), output)) as process:
        await_stage(process, "reading")
        process.send_signal(signal.SIGTERM)
        process.communicate()

    assert process.returncode == 130
    assert list((output / "_versions").iterdir()) == []
    assert not (output / "_current").exists()
