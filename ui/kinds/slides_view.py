"""The slides of a group that is no consumer group, over the whole screen."""

from assignors.share.preview import InconsistentMembersError
from evaluation.kinds.forecast import KindGroup
from evaluation.kinds.stated import stated_for
from evaluation.kinds.view import view_of
from evaluation.stated import InvalidNumberError
from ui.kinds import asked
from ui.kinds.page import leavers_of, words_in
from ui.kinds.slides import deck_today
from ui.scenario import Scenario
from ui.slides.view import show_deck


def show_slides(current: Scenario, group: KindGroup) -> None:
    """Show the slides of a group that is no consumer group."""
    asked.take_up()
    leavers = leavers_of(view_of(group, current.reading.group))
    try:
        said = asked.stated_in(group)
    except InvalidNumberError:  # which the page refuses where it is typed
        said = stated_for(group)()
    try:
        view = asked.view_in(current.reading, group, said, [name for name, _ in leavers])
    except InconsistentMembersError:  # likewise, of the release that is stated
        view = view_of(group, current.reading.group, said)
    words = words_in(current, view)
    show_deck(current, deck_today(view, words, leavers, current.title))
