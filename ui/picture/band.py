"""The verdict of the group on screen as the page's band; its words are the answer's own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.words import Words
from evaluation.reading import ReadAgain
from ui.picture.model import BandButton, Tone, VerdictBand

SWITCH: Final = "switch"
MOVES: Final = "moves"
ADD: Final = "add"
"""The keys of the buttons that the page answers."""


def band_of(
    answer: Answer,
    words: Words,
    hosts: Mapping[str, str],
    *,
    is_example: bool,
    taken: str = "",
) -> VerdictBand:
    """Return the band; its first button is filled, but not on an example, which one leaves.

    Nor if it shows moves that are not worth it: nothing is to be done then.

    ``taken`` says when the snapshots were, for the incident channel.
    """
    tone = Tone.of(answer.verdict.severity)
    buttons = _buttons(answer, (words.headline, words.evidence, words.action, taken), hosts)
    if buttons and not is_example and (buttons[0].key != MOVES or _is_to_move(answer)):
        buttons[0] = replace(buttons[0], is_main=True)
    return VerdictBand(
        tone=tone,
        finding=words.headline,
        evidence=words.evidence,
        action=words.action,
        buttons=tuple(buttons),
        is_settling=answer.is_settling,
    )


def _buttons(answer: Answer, said: Sequence[str], hosts: Mapping[str, str]) -> list[BandButton]:
    proposal, few = answer.proposal, answer.few_moves
    found = []
    if proposal is not None and proposal.action is Action.SWITCH:
        found.append(BandButton(key=SWITCH, label="How to switch"))
    elif _is_to_paste(answer):
        found.append(BandButton(key=ADD, label="Add a snapshot"))
    if answer.verdict.is_alarm:
        found.append(for_the_channel(said))
        found += to_hosts(hosts.get(answer.group.members[m], "") for m in answer.verdict.members)
    elif few is not None and few.moves:
        found.append(BandButton(key=MOVES, label=_which(few.moves)))
    return found


def to_hosts(named: Iterable[str]) -> list[BandButton]:
    """Return the button that copies the hosts an alarm is about, a line each; [] without one."""
    at = dict.fromkeys(host for each in named if (host := each.strip("/")))
    return [_copies("Copy hosts", "\n".join(at))] if at else []


def for_the_channel(said: Sequence[str]) -> BandButton:
    """Return the button that copies sentences for the incident channel, with the page's link."""
    text = "\n".join(filter(None, said))
    return replace(_copies("Copy for the incident channel", text), has_link=True)


def _is_to_paste(answer: Answer) -> bool:
    is_asked = answer.proposal is not None and answer.proposal.action is Action.ADD_SNAPSHOT
    return is_asked and answer.given.again is ReadAgain.BY_COMMAND


def _is_to_move(answer: Answer) -> bool:
    return answer.proposal is not None and answer.proposal.action is Action.MOVE


def _which(moves: int) -> str:
    return "Which move?" if moves == 1 else f"Which {moves:,} moves?"


def _copies(label: str, text: str) -> BandButton:
    return BandButton(key=label, label=label, copies=text)
