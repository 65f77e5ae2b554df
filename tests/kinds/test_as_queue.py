"""A consumer group as a share group: whether its idle consumers would read."""

from assignors.model import Group
from evaluation.kinds.as_queue import as_share_group, idle_in, is_asked_as_queue, queue_said
from evaluation.kinds.share_words import readers_of
from tests.said import lacks


def test_idle_consumers_beyond_the_partitions_share_them() -> None:
    group = Group.of(["t"], [2], ["a", "b", "c", "d"], owners=[0, 1])

    view = as_share_group(group)

    assert idle_in(group) == 2
    assert readers_of(view.then) == {"t-0": 2, "t-1": 2}
    assert not lacks(queue_said(view, 2), "2 idle", "2 partitions")


def test_a_consumer_idle_for_its_assignor_reads_alone() -> None:
    group = Group.of(["t", "u"], [1, 1], ["a", "b"], owners=[0, 0])

    view = as_share_group(group)

    assert set(readers_of(view.then).values()) == {1}
    assert "still have one consumer" in queue_said(view, 1)


def test_without_idle_consumers_nothing_is_asked() -> None:
    assert not is_asked_as_queue(Group.of(["t"], [2], ["a", "b"], owners=[0, 1]))
    assert not is_asked_as_queue(Group.of(["t"], [2], ["a", "b"]))
