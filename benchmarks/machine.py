"""On what, when and with which versions a report was made."""

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.measuring import Competitor
from benchmarks.table import HOW_TO_READ


def description(competitors: Iterable[Competitor], absent: Sequence[str]) -> str:
    """Return the head of the report: date, machine, versions, who is left out, how to read it."""
    gibibytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    libraries = [f"{name} {found}" for name in ("numpy", "numba") if (found := _version(name))]
    versions = [f"Python {platform.python_version()}", *libraries]
    versions += [f"{competitor.name} {competitor.version}" for competitor in competitors]
    facts = (
        f"Made on {datetime.now(UTC):%Y-%m-%d} by `python -m benchmarks`",
        f"{_processor()}, {os.cpu_count()} cores, {gibibytes:.0f} GiB",
        f"load {os.getloadavg()[0]:.1f} at the start (above 0.5: the machine had other work)",
        ", ".join(versions),
        *absent,
    )
    return "# Benchmarks\n\n" + "".join(f"- {fact}\n" for fact in facts) + f"\n{HOW_TO_READ}"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """Return the model's name where Linux tells it."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
