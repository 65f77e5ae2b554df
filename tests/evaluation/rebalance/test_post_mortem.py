"""A rebalance looked at afterwards, counted by hand."""

from functools import partial

from assignors.registry import STRATEGIES
from evaluation.rebalance.owner_changes import changes
from evaluation.rebalance.post_mortem import (
    MovedPartition,
    PostMortem,
    RebalanceTrigger,
    post_mortem,
)
from tests.doors.texts import Flow, describe
from tests.named import named
from tests.pasted import the_group
from tests.said import lacks
from ui.rebalance.post_mortem import instead_table, moved_table, said

BEFORE = [1, 1, 2, 2, 3, 3]


def _member(end: str, k: int) -> str:
    return f"worker-{k}-0b7f9d3a-3a56-4d44-9a35-0e6a1c9b1a{end}{k}"


def two_texts(before: list[int], after: list[int], renewed: str = "") -> str:
    """Return what the tool prints of these owners of six partitions, a minute apart."""
    return "\n".join(
        describe(
            [Flow(owner, 100 * number, 10) for owner in owners],
            date=f"2026-11-05T12:0{number}:00Z",
            member=partial(_member, end),
        )
        for number, (owners, end) in enumerate([(before, "0"), (after, renewed or "0")])
    )


def looked_at(after: list[int], before: list[int] | None = None, renewed: str = "") -> PostMortem:
    """Return the post-mortem of these owners of six partitions, a minute apart."""
    reading = the_group(two_texts(before or BEFORE, after, renewed))
    assert reading.history is not None
    (change,) = changes(reading.group, reading.history)
    return post_mortem(change, named("range", "sticky"))


def test_moves_of_a_consumer_that_left_had_to_be_and_a_swap_of_those_that_stayed_did_not() -> None:
    # worker-3 leaves 4 and 5; worker-1 and worker-2 swap 0 and 2 for nothing.
    told = looked_at([2, 1, 1, 2, 1, 2])

    assert (told.trigger, told.by, told.owned) == (RebalanceTrigger.LEFT, ("worker-3",), 6)
    assert told.moved == (
        MovedPartition("clickstream-0", "worker-1", "worker-2", is_owner_gone=False),
        MovedPartition("clickstream-2", "worker-2", "worker-1", is_owner_gone=False),
        MovedPartition("clickstream-4", "worker-3", "worker-1", is_owner_gone=True),
        MovedPartition("clickstream-5", "worker-3", "worker-2", is_owner_gone=True),
    )
    assert told.change.rebalance.needless == 2
    assert moved_table(told)["Its owner"].tolist() == ["left", "left", "stayed", "stayed"]


def test_what_an_assignor_would_have_done_starts_from_the_owners_before() -> None:
    # Range cuts 0-2 and 3-5: 2 moves to worker-1, and 4 and 5 to worker-2, so 1, 3 and 5 are alike
    # and 2 as well. Sticky moves 4 and 5 alone.
    told = looked_at([2, 1, 1, 2, 1, 2])
    would = {each.strategy.name: (each.moved, each.alike) for each in told.would_have}

    assert would["range"] == (3, 4)
    assert would["sticky"][0] == 2
    assert instead_table(told, STRATEGIES["range"])["Moves"].tolist() == [2, 3]


def test_the_words_name_who_caused_it_what_had_to_move_and_what_the_class_would_have_done() -> None:
    texts = said(looked_at([2, 1, 1, 2, 1, 2]), STRATEGIES["range"])

    assert lacks(texts.finding, "worker-3", "4 of 6") == []
    assert lacks(texts.evidence, "2", "2", "1 min") == []
    assert lacks(texts.instead, "Range", "3", "2 partitions", "Sticky", "2") == []


def test_who_joins_and_who_comes_back_under_a_new_id_is_named() -> None:
    joined = looked_at([1, 1, 2, 2, 3, 4])
    renewed = looked_at(BEFORE, renewed="9")

    assert (joined.trigger, joined.by) == (RebalanceTrigger.JOINED, ("worker-4",))
    assert renewed.trigger is RebalanceTrigger.RESTARTED
    assert renewed.by == ("worker-1", "worker-2", "worker-3")
    assert all(each.was == each.now for each in renewed.moved)
