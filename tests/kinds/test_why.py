"""Why each task, connector and partition is where it is, for every kind and what-if."""

import pytest

from evaluation.kinds.forecast import OtherMembers
from evaluation.kinds.view import KindView, view_of
from evaluation.kinds.why import items_in, why, why_each
from sources.text import read_text
from tests.kinds.texts import CLASSIC, IDS, SHARE, STREAMS, TOPOLOGY, A, B, P, Q, rest

CONNECTORS = rest(sink=[A, A, B], source=[B, A])


def _view(text: str, what_if: OtherMembers) -> KindView:
    (reading,) = read_text(text)
    assert reading.as_kind is not None
    return view_of(reading.as_kind, reading.group, what_if=what_if)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "leaver"),
    [
        (
            CLASSIC + TOPOLOGY,
            f"shop-{P}-StreamThread-2-consumer-91b1089d-c970-4b51-9e49-f54c3677565f",
        ),
        (STREAMS, Q),
        (SHARE + IDS, "2r8Li13RSKGZO5Me7Rpvyg"),
        (CONNECTORS, B),
    ],
    ids=["streams", "streams-broker", "share", "connect"],
)
def test_everything_held_in_the_end_has_a_reason_and_its_holder_is_in_the_last_step(
    text: str, leaver: str
) -> None:
    for what in (OtherMembers(), OtherMembers(more=2), OtherMembers(without=(leaver,))):
        view = _view(text, what)

        found = why_each(view)

        held = [
            (b.name, b.role.value) for e in view.then.holders if not e.is_gone for b in e.blocks
        ]
        assert [(each.item, each.role) for each in found] == held
        assert all(each.why.endswith(".") for each in found)
        assert {each.item for each in found} <= set(items_in(view))
        for each in found:
            steps = [step for step in why(view, each.item) if step.holder == each.holder]
            assert steps[-1].does.startswith(("gets it", "keeps it")), each


@pytest.mark.slow
def test_ids_of_members_are_shown_by_their_labels() -> None:
    view = _view(CLASSIC + TOPOLOGY, OtherMembers(more=1))

    texts = " ".join(step.text for item in items_in(view) for step in why(view, item))

    assert P[:8] in texts
    assert P not in texts
    assert "-consumer" not in texts


def test_a_task_that_warms_up_is_told_from_the_first_round_to_the_last() -> None:
    view = _view(CLASSIC + TOPOLOGY, OtherMembers(more=1))

    steps = [each for each in why(view, "1_0") if each.holder == "new-1"]

    assert [each.does for each in steps if each.number == 1] == [
        "gets it",
        "gives it up",
        "gets it as warm-up",
    ]
    assert (steps[-1].number, steps[-1].does) == (4, "gets it")
    assert steps[-1].at_s == 600


def test_a_lost_worker_s_task_waits_before_another_gets_it() -> None:
    view = _view(CONNECTORS, OtherMembers(without=(B,)))

    assert [(each.holder, each.does, each.at_s) for each in why(view, "sink-1")] == [
        ("", "nobody gets it", 0),
        (A, "gets it", 300),
    ]
