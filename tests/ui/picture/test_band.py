"""The band of the Group page: what it proposes, and when."""

from dataclasses import replace

from evaluation.answering.action_rows.owners import SETTLING
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of, held_back
from evaluation.answering.words import words_of
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.answers import FirstDraws, NextRebalance
from tests.doors import texts
from tests.pasted import the_group
from ui.picture.band import ADD, MOVES, SWITCH, band_of
from ui.picture.model import VerdictBand


def band(answer: Answer) -> VerdictBand:
    return band_of(answer, words_of(answer), {}, is_example=False)


def test_a_switch_is_proposed_once_no_simulation_can_change_it() -> None:
    reading = the_group(texts.snapshots(texts.one_overloaded(), dated=True))
    answer = answer_of(given_of(reading), NextRebalance())
    assert answer.proposal is not None
    assert answer.proposal.action is Action.SWITCH

    early, late = band(held_back(answer)), band(answer)

    assert early.action == SETTLING != late.action
    assert [SWITCH in [button.key for button in shown.buttons] for shown in (early, late)] == [
        False,
        True,
    ]
    assert early.finding == late.finding


def test_a_snapshot_is_asked_for_by_hand_only_where_none_comes_from_a_cluster() -> None:
    reading = the_group(texts.snapshots(texts.three_stopped(), dated=True, apart_s=4.0))
    read = (
        reading,
        replace(reading, is_live=True),
        replace(reading, is_live=True, is_watched=True),
    )

    shown = [band(answer_of(given_of(each), NextRebalance())) for each in read]

    asked = [ADD in [button.key for button in each.buttons] for each in shown]
    assert asked == [True, False, False]
    assert len({each.action for each in shown}) == len(read)


def test_moves_that_are_not_worth_it_have_no_filled_button() -> None:
    flows = [texts.Flow(p % 3, 5_000, lag) for p, lag in enumerate((3, 1, 1, 2, 1, 0))]
    answer = answer_of(given_of(the_group(texts.describe(flows))), NextRebalance())
    assert answer.verdict.kind is VerdictKind.HEALTHY
    assert answer.proposal is None

    shown = band(answer).buttons

    assert [(button.key, button.is_main) for button in shown] == [(MOVES, False)]


def test_where_no_switch_is_worth_it_yet_that_is_not_said_before_the_simulations_end() -> None:
    reading = the_group(texts.snapshots(texts.one_overloaded(), dated=True))
    answer = replace(answer_of(given_of(reading), NextRebalance()), proposal=None)

    early = held_back(answer)

    assert early.is_settling
    assert band(early).action == SETTLING


def test_what_no_simulation_can_change_is_said_at_once() -> None:
    reading = the_group(texts.snapshots(texts.three_stopped(), dated=True))
    answer = answer_of(given_of(reading), FirstDraws())

    assert held_back(answer) is answer
    assert answer.proposal is not None
