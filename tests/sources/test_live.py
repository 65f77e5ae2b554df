"""Every failure of a cluster is reported in one sentence."""

import pytest

from live.client_config import ClientConfig
from live.properties import Properties
from sources.errors import UnexpectedError
from sources.live import list_groups, read_group


def test_an_internal_error_is_one_sentence_on_the_page_too() -> None:
    no_text = ClientConfig(Properties({"bootstrap.servers": 9092}))  # type: ignore[dict-item]

    for read in (lambda: list_groups(no_text), lambda: read_group(no_text, "g")):
        with pytest.raises(UnexpectedError, match="the cluster cannot be read: our reader failed"):
            read()
