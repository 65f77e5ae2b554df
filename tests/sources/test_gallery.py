import operator
import re
import string

import pytest

from sources.gallery import CARDS, Card, Claim, filled
from sources.samples import SAMPLES

RELATIONS = {"==": operator.eq, "<": operator.lt, ">": operator.gt}
CLAIMS = [(card, claim) for card in CARDS for claim in card.claims]


def fields(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


@pytest.mark.parametrize(
    ("card", "claim"), CLAIMS, ids=[f"{card.id}: {' '.join(map(str, c))}" for card, c in CLAIMS]
)
def test_a_cards_claims_match_the_strategies_results(card: Card, claim: Claim) -> None:
    amounts = filled(card).amounts

    found = amounts[claim.strategy][claim.figure]

    other = claim.other
    expected = amounts[other][claim.figure] if isinstance(other, str) else other
    assert found is not None
    assert expected is not None
    assert RELATIONS[claim.relation](found, expected)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_every_text_is_whole_and_every_figure_in_it_known(card: Card) -> None:
    shown = filled(card)

    texts = (shown.surprise, shown.happens, shown.why, shown.instead)
    assert all(text and text[-1] in ".:" for text in texts)
    assert not re.search(r"[{}]|None|unknown", " ".join(texts))


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_a_card_quotes_figures_of_the_strategies_that_it_shows(card: Card) -> None:
    named = {name.partition("[")[0] for name in fields(card.happens)}

    assert named - {"group"}
    assert named <= {"group", *card.strategies}


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_the_figure_that_is_drawn_is_known_under_every_strategy(card: Card) -> None:
    amounts = filled(card).amounts

    assert all(amounts[name][card.figure] is not None for name in card.strategies)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_the_strategy_that_a_card_is_about_has_a_claim(card: Card) -> None:
    assert card.strategies[0] in {claim.strategy for claim in card.claims}


def test_every_card_is_about_another_example() -> None:
    ids = [card.id for card in CARDS]

    assert len(set(ids)) == len(ids) == 21
    assert set(ids) <= {sample.id for sample in SAMPLES}


def test_a_card_about_a_step_of_a_history_has_that_history() -> None:
    steps = [(card.history, card.guide) for card in CARDS if card.history is not None]

    assert steps
    assert all(guide and 0 <= (step or 0) <= len(guide.events) for step, guide in steps)
