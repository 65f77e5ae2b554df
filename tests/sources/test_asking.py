"""What an answer starts from: a reading, and what was edited of it."""

from dataclasses import replace

import pytest

from assignors.model import Group
from evaluation.rebalancing import Rebalancing
from sources.asking import given_of
from tests.pasted import the_group

TEXT = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n{}\n"


@pytest.mark.parametrize("is_edited", [False, True])
def test_only_the_group_as_read_was_rebalancing(is_edited: bool) -> None:
    reading = the_group(TEXT.format("g t 0 0 600 600 a-1 /10.0.0.1 a"))
    reading = replace(reading, rebalancing=Rebalancing(group_epoch=3))
    edited = the_group(TEXT.format("g t 0 0 900 900 a-1 /10.0.0.1 a")).group
    groups: list[Group | None] = [edited] if is_edited else [None, reading.group]

    found = [given_of(reading, group=group).rebalancing for group in groups]

    assert found == ([None] if is_edited else [reading.rebalancing] * 2)
