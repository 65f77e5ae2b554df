"""The gallery's surprises of other kinds are what the forecasts say."""

import pytest

from evaluation.kinds.streams_course import balanced_s, without_copy
from sources.kind_gallery import KIND_CARDS, FilledKindCard, KindCard, filled_kind
from tests.kinds.answered import said_in


@pytest.mark.slow
@pytest.mark.parametrize("card", KIND_CARDS, ids=lambda card: card.id)
def test_every_card_is_of_its_kind_and_whole(card: KindCard) -> None:
    shown = filled_kind(card)

    assert shown.reading.kind is card.kind
    assert all(
        text.endswith(".") for text in (card.surprise, shown.happens, card.why, card.instead)
    )


def _shown(name: str) -> FilledKindCard:
    return filled_kind(next(card for card in KIND_CARDS if card.id == name))


@pytest.mark.slow
def test_the_surprises_hold() -> None:
    assert balanced_s(_shown("streams-classic").view) == 1800
    assert len(without_copy(_shown("streams-broker").view)) == 1
    clump = _shown("connect-clump").view
    assert [{b.part for b in each.runs} for each in clump.now.holders] == [
        {"audit-sink"},
        {"search-sink"},
    ]
    assert clump.found.then == clump.found.now
    queue = _shown("share-queue").view
    assert all(each.runs for each in queue.then.holders)
    assert "every partition has 2 consumers" in said_in(queue).finding
