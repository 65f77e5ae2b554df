"""Configuration of the whole suite: Hypothesis profiles, and tests with external requirements.

A test marked ``@pytest.mark.needs("...")`` is deselected if the requirement is missing, and the
summary says so; it is not counted as skipped. In CI, tests of required things are never deselected:
they run and fail.

A test marked ``@pytest.mark.deep`` repeats another one at a larger size; only ``make test-deep``
runs it. One marked ``proof`` compares with the real thing at length (clients' libraries, brokers,
clusters), or goes through every case of what another test does once; ``make test-proofs`` runs it,
and so does CI. One marked ``slow`` is left out of
``make check-fast`` alone.
"""

import gc
import logging
import os
import re
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from benchmarks.dashboard import chromium_path
from plugins.kafka_jars import is_to_be_had
from tests.broker.kafka_node import NEVER_KILLED, Cluster, running_cluster
from tests.metrics import real_prometheus
from tests.oracles.toolchains import are_to_be_had
from tests.pipeline.quick_java import java_options

_IS_CI: Final = bool(os.environ.get("CI"))
for _name, _max_examples in {"fast": 3, "daily": 10, "proofs": 50, "deep": 1000}.items():
    settings.register_profile(
        _name,
        deadline=None,  # a slow draw on a busy machine is not a failure
        derandomize=_IS_CI and _name != "deep",
        max_examples=_max_examples,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("daily")  # unless --hypothesis-profile names another one

SHARED_SAMPLES: Final = Path(__file__).resolve().parents[2] / "shared" / "samples"


class _Need(NamedTuple):
    """A requirement outside the repository."""

    is_here: Callable[[], bool]
    where: str
    """Where the suite looks for it, to help users run those tests."""
    is_certain_in_ci: bool = False


class _Process(Protocol):
    """A worker of pytest-xdist, as the controller sees it."""

    config: pytest.Config


_NEEDS: Final = {
    "shared samples": _Need(
        (SHARED_SAMPLES / "INDEX.tsv").is_file, "in ../shared/samples, beside the repository"
    ),
    "chromium": _Need(
        lambda: chromium_path() is not None,
        "on the PATH; on Debian: apt-get install chromium",
        is_certain_in_ci=True,
    ),
    "broker": _Need(
        is_to_be_had,
        "Java and, by Maven's coordinates, the jars of Kafka; plugins/kafka_jars.py",
        is_certain_in_ci=True,
    ),
    "prometheus": _Need(
        real_prometheus.is_to_be_had,
        "on the PATH, or Debian's package by apt-get download; tests/metrics/real_prometheus.py",
    ),
    "clients' toolchains": _Need(
        are_to_be_had,
        "Go and npm, and the libraries they fetch; tests/oracles/toolchains.py",
        is_certain_in_ci=True,
    ),
}
_SPARK: Final = (
    *("tests/pipeline/ingest/", "tests/pipeline/test_runs.py", "tests/pipeline/test_day.py"),
    *("tests/pipeline/test_queries.py", "tests/pipeline/test_backlog.py"),
    "tests/pipeline/test_horizons.py",
    *("tests/pipeline/test_progress.py", "tests/pipeline/test_batches.py"),
    *("tests/pipeline/jobs/test_killed.py", "tests/pipeline/jobs/test_stream.py"),
    "tests/pipeline/jobs/test_two_writers.py",
)
"""Tests that share a Spark session, which takes twenty seconds to start and warm up."""
_COMMANDS: Final = ("tests/pipeline/jobs/",)
"""Tests that start their own Spark; the shared session only creates the expected tables."""
_KAFKA: Final = (
    *("tests/broker/", "tests/live/", "tests/pipeline/collecting/"),
    *("tests/test_assign_live.py", "tests/pages/test_connect.py"),
)
"""Tests that share the running Kafka clusters, which otherwise every worker would start."""
_BROWSER: Final = ("tests/browser/",)
"""Tests that share a dashboard and a Chromium."""
_FLEET: Final = ("tests/pages/test_fleet", "tests/pages/test_every_page.py")
"""Tests that share the answers on the sample fleet, which take six seconds."""
_STORIES: Final = ("tests/ui/slides/test_deck.py", "tests/ui/compare/test_report.py")
"""Tests that share the whole answer on an example, which takes five seconds."""
_TOGETHER: Final = {
    "spark": _SPARK,
    "commands": _COMMANDS,
    "kafka": _KAFKA,
    "browser": _BROWSER,
    "fleet": _FLEET,
    "stories": _STORIES,
}
_LONGEST: Final = (
    *(_SPARK, _BROWSER, _KAFKA, _COMMANDS),
    ("tests/oracles/", "tests/hostile/", "tests/pages/", "tests/assistant/"),
    ("tests/assignors/", "tests/test_assign.py"),
)
"""Tests that take minutes, longest first; the others fill the remaining time."""
_ONLY_PROOFS: Final = re.compile(rb"^pytestmark = .*\bpytest\.mark\.proof\b", re.MULTILINE)
"""A module whose tests are all proofs; importing it, as with Playwright, costs every worker."""
_SAID: Final = pytest.StashKey[list[str]]()
_LEFT_OUT: Final = pytest.StashKey[dict[str, int]]()


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A shared, running Kafka of one node: use unique names, and never stop it.

    A test that kills or reconfigures a broker starts its own: `with running_cluster(tmp_path)`.
    """
    with running_cluster(tmp_path_factory.mktemp("kafka"), settings=NEVER_KILLED) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def kafka_with_racks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A shared, running Kafka of three nodes, in rack-a, rack-b and rack-c.

    It waits twenty seconds after each of the first consumers of a classic group, so that consumers
    started together join one rebalance, however busy the machine.
    """
    settings = {**NEVER_KILLED, "group.initial.rebalance.delay.ms": "20000"}
    with running_cluster(tmp_path_factory.mktemp("racks"), nodes=3, settings=settings) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def java_cache(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of Spark's classes, kept between runs unless ``-p no:cacheprovider`` is given."""
    cache: pytest.Cache | None = getattr(pytestconfig, "cache", None)
    return tmp_path_factory.mktemp("java") if cache is None else cache.mkdir("java")


@pytest.fixture(scope="session")
def quick_java(java_cache: Path, request: pytest.FixtureRequest) -> None:
    """Make every Java started from now on start quickly; the proofs start Spark many times."""
    are_proofs = any(item.get_closest_marker("proof") for item in request.session.items)
    os.environ["JDK_JAVA_OPTIONS"] = java_options(java_cache, prepares=are_proofs)


@pytest.fixture(scope="session")
def tell(pytestconfig: pytest.Config) -> Callable[[str], None]:
    """Return a function that adds a line to the final report."""
    return pytestconfig.stash[_SAID].append


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marks, for ``--strict-markers``."""
    config.addinivalue_line("markers", f"needs(thing): one of {', '.join(_NEEDS)}")
    config.addinivalue_line(
        "markers", "slow: takes a tenth of a second; make check-fast leaves it out"
    )
    config.addinivalue_line(
        "markers", "proof: the real thing, or every case, for make test-proofs and CI"
    )
    config.addinivalue_line("markers", "deep: a larger run of another test, for make test-deep")
    config.stash[_LEFT_OUT] = {}
    config.stash[_SAID] = []


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from what stays: it took a quarter of the collection's time.

    Every worker imports all modules and creates all items, and keeps them to the end. Streamlit's
    loggers are made to propagate: pytest attaches two handlers to each that does not, three times
    a test, which took a tenth of the time of quick tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        for name in [*logging.root.manager.loggerDict]:
            if name.startswith("streamlit"):
                logging.getLogger(name).propagate = True


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no module of proofs for a run of the whole suite that selects none."""
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not is_whole or "not proof" not in config.option.markexpr or collection_path.suffix != ".py":
        return None
    return True if _ONLY_PROOFS.search(collection_path.read_bytes()) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests whose needs are not met."""
    asked = {need for item in items for need in _needs_of(item)}
    missing = {name for name in asked if not _is_met(_NEEDS[name])}
    left_out = config.stash[_LEFT_OUT]
    gone = []
    for item in items:
        lacking = [need for need in _needs_of(item) if need in missing]
        left_out.update({need: left_out.get(need, 0) + 1 for need in lacking})
        gone += [item] if lacking else []
    left_behind = set(map(id, gone))
    items[:] = [item for item in items if id(item) not in left_behind]
    if hasattr(config, "workerinput"):  # otherwise one worker would be left with the longest ones
        items.sort(key=lambda item: [not item.nodeid.startswith(long) for long in _LONGEST])
    config.hook.pytest_deselected(items=gone)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in those modules only that have some, so that no others are imported."""
    found = yield
    is_test = file_path.name.startswith("test_")
    has_examples = not is_test and b">>>" in file_path.read_bytes()
    return [each for each in found if has_examples or not isinstance(each, DoctestModule)]


class _ByFile(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """Assigns the tests of a file, and all tests that share a service, to one worker."""

    def _split_scope(self, nodeid: str) -> str:
        scope: str = super()._split_scope(nodeid)
        return next((name for name, of in _TOGETHER.items() if nodeid.startswith(of)), scope)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run two workers more than there are processors, because many tests wait for processes.

    With ``-n logical``, for tests that only compute, one worker a processor: each collects all.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    return processors if config.option.numprocesses == "logical" else processors + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _ByFile | None:
    """Replace the scheduler of ``--dist loadfile``."""
    return _ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send this worker's omissions and reported lines to the controller."""
    told: dict[str, object] | None = getattr(session.config, "workeroutput", None)
    if told is not None:
        told["left_out"] = session.config.stash[_LEFT_OUT]
        told["said"] = session.config.stash[_SAID]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: _Process) -> None:
    """Receive a worker's omissions, the same from each, and the lines that it reported."""
    told = getattr(node, "workeroutput", {})
    node.config.stash[_LEFT_OUT].update(told.get("left_out", {}))
    node.config.stash[_SAID] += told.get("said", [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the lines that tests reported and the tests that were left out."""
    for line in terminalreporter.config.stash[_SAID]:
        terminalreporter.write_line(line)
    for name, count in terminalreporter.config.stash[_LEFT_OUT].items():
        tests = "1 test" if count == 1 else f"{count} tests"
        terminalreporter.write_line(
            f"left out: {tests}, for want of {name} ({_NEEDS[name].where})", yellow=True
        )


def _is_met(need: _Need) -> bool:
    return (need.is_certain_in_ci and _IS_CI) or need.is_here()


def _needs_of(item: pytest.Item) -> list[str]:
    return [_known(mark.args[0]) for mark in item.iter_markers("needs")]


def _known(name: str) -> str:
    if name not in _NEEDS:
        message = f"a test needs {name!r}; tests/conftest.py knows only {', '.join(_NEEDS)}"
        raise pytest.UsageError(message)
    return name
