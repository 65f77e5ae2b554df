"""Every failure of a cluster is reported in one sentence."""

import time

import pytest

from live.client_config import ClientConfig
from live.properties import Properties
from sources.errors import UnexpectedError
from sources.live import list_groups, read_group, steady_now_s


def test_an_internal_error_is_one_sentence_on_the_page_too() -> None:
    no_text = ClientConfig(Properties({"bootstrap.servers": 9092}))  # type: ignore[dict-item]

    for read in (lambda: list_groups(no_text), lambda: read_group(no_text, "g")):
        with pytest.raises(UnexpectedError, match="the cluster cannot be read: our reader failed"):
            read()


def test_a_clock_that_is_set_back_does_not_move_the_time_between_two_readings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = steady_now_s()
    monkeypatch.setattr(time, "time", lambda: before - 3_600)

    after = steady_now_s()

    assert after >= before
