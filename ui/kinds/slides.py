"""The slides on a group that is no consumer group: finding, a loss, sizes, settings."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from assignors.connect.cluster import ConnectCluster
from assignors.share.group import ShareGroup
from assignors.share.preview import InconsistentMembersError
from charts.deck.model import (
    MOST_BARS,
    Chart,
    Deck,
    Heights,
    Slide,
    SlidePlace,
    SlideStep,
)
from charts.labels import short_names
from evaluation.kinds.board import Board
from evaluation.kinds.choices import choices_of
from evaluation.kinds.forecast import NO_CHANGE, OtherMembers
from evaluation.kinds.said import KindWords
from evaluation.kinds.view import KindView, view_of
from evaluation.kinds.words import change_words, size_said
from evaluation.severity import Severity
from evaluation.wording import plural
from ui.slides.offer import offer_deck

_MOST_STEPS: Final = 3
_MOST_POINTS: Final = 5
_MOST_NAMES: Final = 12


def take_along(
    view: KindView, words: KindWords, leavers: Sequence[tuple[str, str]], title: str
) -> None:
    """Offer the slides as files, made when a button is pressed."""
    offer_deck(lambda: deck_today(view, words, leavers, title), view.read.id)


def deck_today(
    view: KindView, words: KindWords, leavers: Sequence[tuple[str, str]], title: str
) -> Deck:
    """Return the slides as made today."""
    return deck_of(view, words, leavers, title, _today())


def deck_of(
    view: KindView, words: KindWords, leavers: Sequence[tuple[str, str]], title: str, made: str
) -> Deck:
    """Return the slides on what is asked of a group, with what is said of it."""
    about = ", ".join([*size_said(view), made])
    return Deck(title=title, about=about, slides=list(_slides(view, words, leavers)))


def _slides(
    view: KindView, words: KindWords, leavers: Sequence[tuple[str, str]]
) -> Iterator[Slide]:
    yield _told(SlidePlace.FINDING, view, words)
    if view.what_if == NO_CHANGE and leavers and len(view.now.counts()) > 1:
        gone = OtherMembers(without=(leavers[0][0],))
        with suppress(InconsistentMembersError):  # on which Kafka 4.1 itself fails
            lost = view_of(view.group, view.read, view.said, gone, view.release)
            yield _told(SlidePlace.LOSS, lost, change_words(lost))
    choices = choices_of(view, leavers) if view.what_if == NO_CHANGE else []
    if len(choices) > 1:
        noun = "partition" if isinstance(view.group, ShareGroup) else "task"
        yield Slide(
            name=SlidePlace.SIZES,
            title=f"{choices[1].label}: {choices[1].spread}.",
            subtitle=f"{plural(choices[1].moved, noun)} start elsewhere.",
            points=tuple(
                f"{each.label}: {each.spread}; {plural(each.moved, noun)} start elsewhere."
                for each in choices[2:_MOST_POINTS]
            ),
        )
    if words.advice:
        first = words.advice[0]
        yield Slide(
            name=SlidePlace.SETTINGS,
            title=f"{first.setting}: {first.value}.",
            steps=tuple(
                SlideStep(text=each.why, settings=f"{each.setting}: {each.value}")
                for each in words.advice[:_MOST_STEPS]
            ),
        )


def _told(name: SlidePlace, view: KindView, words: KindWords) -> Slide:
    found = view.found.certainty
    return Slide(
        name=name,
        title=words.finding,
        subtitle=words.evidence,
        chart=_counts(view, words),
        points=(words.action,) if words.action else (),
        basis=f"Prediction: {found.text}. {found.why}".strip() if view.is_changed else "",
    )


def _counts(view: KindView, words: KindWords) -> Chart | None:
    """Return how much each instance, worker or consumer runs, now and once at rest again."""
    boards: dict[str, Board] = {"Now": view.now}
    if view.is_changed:
        boards["At rest again"] = view.then
    names = list(dict.fromkeys(name for each in boards.values() for name in each.counts()))
    if not names or len(names) > MOST_BARS:
        return None
    what, who = _axis(view)
    states = tuple(
        Heights(
            label=label,
            heights=(heights := tuple(board.counts().get(name, 0) for name in names)),
            marked=(heights.index(max(heights)),) if max(heights) > min(heights) else (),
        )
        for label, board in boards.items()
    )
    axis = f"{what} of each {who}"
    return Chart(
        axis=axis,
        below=plural(len(names), who),
        names=tuple(short_names(names)) if len(names) <= _MOST_NAMES else (),
        states=states,
        legend="",
        marked_label="the most",
        is_alarm=words.severity is Severity.ALARM,
        alt=f"{axis}; " + " and then ".join(f"{s.label}: {max(s.heights)} at most" for s in states),
    )


def _axis(view: KindView) -> tuple[str, str]:
    if isinstance(view.group, ConnectCluster):
        return "Tasks", "worker"
    return (
        ("Partitions", "consumer") if isinstance(view.group, ShareGroup) else ("Tasks", "instance")
    )


def _today() -> str:
    return f"{datetime.now(UTC):%d %B %Y}"
