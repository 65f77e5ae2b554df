"""A dashboard of our own on a free port, and Debian's Chromium looking at it."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.conftest import chromium_path

ROOT = Path(__file__).resolve().parents[2]
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
STARTUP_S = 60


@pytest.fixture(scope="session")
def dashboard() -> Iterator[str]:
    """The address of a running dashboard."""
    with _running() as address:
        yield address


@pytest.fixture
def fresh_dashboard() -> Iterator[str]:
    """The address of a dashboard that nobody has asked for anything."""
    with _running() as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, driven by Playwright."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=QUIET.split())
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A fresh tab; an error in the page's own code fails the test."""
    tab = chromium.new_page(viewport={"width": 1440, "height": 1000})
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    tab.close()
    assert not errors


@contextmanager
def _running() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(  # noqa: S603 -- our own program, our own arguments
        [
            *(sys.executable, "-m", "streamlit", "run", "app.py"),
            *("--server.headless=true", "--server.address=127.0.0.1"),
            f"--server.port={port}",
        ],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_until_healthy(f"{address}/_stcore/health")
        yield address
    finally:
        server.terminate()
        server.wait()


def _wait_until_healthy(url: str) -> None:
    end = time.monotonic() + STARTUP_S
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 -- loopback
                if answer.status == 200:
                    return
        except OSError:
            if time.monotonic() > end:
                raise
        time.sleep(0.2)
