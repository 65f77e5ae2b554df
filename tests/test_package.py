"""The wheel: the core runs on numpy alone, and one command starts every part."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from assignors import __version__
from assignors.model import Group
from sources.group_json import encode

ROOT = Path(__file__).resolve().parents[1]
GROUP = encode(Group.fresh({"t": 2}, ["a", "b"], {"t": [7, 5]})).decode()
READERS = ("msgspec", "re2", "_re2", "yaml", "_yaml")
"""What the extra ``cli`` brings, by the names under which it is imported."""
CORE = """
import json, sys
import evaluation.explain.explainer
from assignors import answer, consumers_needed, read, words_of
from assignors.model import Group
from assignors.registry import STRATEGIES

group = Group.fresh({"t": 3}, ["a", "b"])
owners = {name: strategy.settle(group).tolist() for name, strategy in STRATEGIES.items()}
consumers_needed(found := answer(group)), words_of(found)
try:
    read("")
except ImportError as error:
    needs = str(error)
loaded = [name for name in ("pandas", "streamlit", "pyarrow") if name in sys.modules]
print(json.dumps([owners, needs, loaded]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network by the build backend of the environment."""
    folder = tmp_path_factory.mktemp("wheel")
    words = ["wheel", str(ROOT), "--no-deps", "--no-build-isolation", "-q", "-w", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *words], check=True)  # noqa: S603 -- pip
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel is installed, alone."""
    folder = tmp_path_factory.mktemp("installed")
    words = ["install", str(wheel), "--no-deps", "--no-index", "-q", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *words], check=True)  # noqa: S603 -- pip
    return folder


def beside(folder: Path, *packages: str) -> Path:
    """Return a new folder with nothing but these packages of the environment."""
    folder.mkdir()
    for name in packages:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin)
            place = origin.parent if origin.name == "__init__.py" else origin
            (folder / place.name).symlink_to(place)
            libraries = place.with_name(f"{name}.libs")
            if libraries.exists():
                (folder / libraries.name).symlink_to(libraries)
    return folder


def ran(
    words: Sequence[str], *folders: Path, text: str = "", cwd: Path
) -> "subprocess.CompletedProcess[str]":
    """Run Python without the environment's packages, from a folder outside the repository."""
    return subprocess.run(  # noqa: S603 -- our own program
        [sys.executable, "-S", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        input=text,
        text=True,
        capture_output=True,
        check=False,
    )


@pytest.mark.slow
def test_the_core_runs_on_numpy_alone(installed: Path, tmp_path: Path) -> None:
    alone = beside(tmp_path / "alone", "numpy")

    ended = ran(["-c", CORE], installed, alone, cwd=tmp_path)

    assert ended.returncode == 0, ended.stderr
    owners, needs, more = json.loads(ended.stdout)
    assert owners["range"] == [0, 0, 1]
    assert needs.endswith("pip install 'kafka-assignments[cli]'")
    assert more == []


@pytest.mark.slow
def test_one_command_assigns(installed: Path, tmp_path: Path) -> None:
    readers = beside(tmp_path / "readers", "numpy", *READERS)
    command = str(installed / "bin" / "kafka-assignments")

    ended = ran(
        [command, "assign", "--strategy", "range"], installed, readers, text=GROUP, cwd=tmp_path
    )

    wrong = ran([command, "assign", "nowhere"], installed, readers, cwd=tmp_path)

    assert wrong.stderr.startswith("kafka-assignments assign: nowhere cannot be read")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout)["assignment"] == {"a": [["t", 0]], "b": [["t", 1]]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "extra"),
    [("assign", "cli"), ("dashboard", "dashboard"), ("pipeline", "fleet"), ("mcp", "mcp")],
)
def test_a_part_that_is_not_installed_says_what_to_install(
    part: str, extra: str, installed: Path, tmp_path: Path
) -> None:
    alone = beside(tmp_path / "alone", "numpy")

    ended = ran(["-m", "kafka_assignments", part, "run"], installed, alone, cwd=tmp_path)

    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"kafka-assignments {part} needs the package ")
    assert line.endswith(f": pip install 'kafka-assignments[{extra}]'")


@pytest.mark.slow
def test_the_dashboard_of_the_wheel_has_its_pages_samples_and_theme(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())

    pages = {f"kafka_assignments/pages/{page.name}" for page in (ROOT / "pages").glob("*.py")}
    samples = {f"sample_data/{each.name}" for each in (ROOT / "sample_data").glob("*.json")}
    samples |= {f"sample_data/kinds/{each.name}" for each in (ROOT / "sample_data/kinds").iterdir()}
    assert pages | samples <= held
    assert {"kafka_assignments/app.py", "kafka_assignments/.streamlit/config.toml"} <= held
    assert {
        "ui/static/icon.svg",
        "charts/report.css",
        "charts/report.html.jinja",
        "charts/panel.css",
        "charts/panel.svg.jinja",
        "ui/static/panel.js",
        "assignors/py.typed",
    } <= held
    assert not {name.partition("/")[0] for name in held} & {"tests", "benchmarks", "app.py"}


@pytest.mark.slow
def test_the_command_knows_its_version_and_refuses_what_it_does_not_know(
    installed: Path, tmp_path: Path
) -> None:
    alone = beside(tmp_path / "alone", "numpy")

    words = (["-m", "kafka_assignments", word] for word in ("--version", "assing"))
    version, wrong = (ran(each, installed, alone, cwd=tmp_path) for each in words)

    assert (version.returncode, version.stdout) == (0, f"{__version__}\n")
    assert wrong.returncode == 2
    assert "'assing'" in wrong.stderr
