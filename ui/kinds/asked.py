"""What a visitor asks of a group that is no consumer group: other members, settings, a release."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from assignors.connect.cluster import ConnectCluster
from assignors.share.group import ShareGroup
from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from evaluation.kinds.forecast import KindGroup, OtherMembers
from evaluation.kinds.stated import BrokerStated, ClassicStated, KindStated, stated_for
from evaluation.kinds.view import KindView, view_of
from evaluation.reading import Reading
from evaluation.stated import stated_of
from ui import form, told
from ui.choices.kept import keep

_ALL_STAY: Final = "All stay"
_NEWEST: Final = "newest"
_RELEASES: Final = {
    ShareGroup: (_NEWEST, "4.1", "4.0"),
    StreamsGroup: (_NEWEST, "4.3", "4.2"),
}
_BLANK: Final = {"standbys": "as shown", "restore_per_s": ""}
_CHANGES: Final = ("more", "threads")


def ask_members(group: KindGroup, leavers: Sequence[tuple[str, str]]) -> None:
    """Ask for another set of members; ``leavers`` are names and labels of who could leave."""
    kind = stated_for(group)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        threaded = issubclass(kind, ClassicStated | BrokerStated)
        for name in _CHANGES if threaded else _CHANGES[:1]:
            with st.container(width=190):
                form.ask(kind, name)
        labels = {"": _ALL_STAY, **dict(leavers)}
        with st.container(width=240):
            told.WITHOUT.pick(
                "Leaves", list(labels), about=_LEAVES, shown=lambda name: labels[name]
            )
        if isinstance(group, ConnectCluster) and st.session_state.get(told.WITHOUT.name):
            with st.container(width=190):
                told.IS_LEADER.ask("It leads the cluster", _LEADS)


_LEAVES: Final = "Who leaves at once, without a word: killed, or cut off"
_LEADS: Final = "The log of the worker that leads shows it; a new leader knows of no lost worker"


def ask_settings(group: KindGroup) -> None:
    """Ask for settings, which the source does not tell."""
    kind = stated_for(group)
    names = [each for each in kind.__dataclass_fields__ if each not in _CHANGES]
    if names:
        form.ask(kind, *names, blank=_BLANK | {"changelog": _changelog_read(group)})
    if releases := _RELEASES.get(type(group)):
        told.RELEASE.ask("Kafka of the brokers", "Each release assigns its own way", releases)


def _changelog_read(group: KindGroup) -> str:
    """Return what stands in the field of what a copy has to restore while nothing is stated."""
    restores = group.restores if isinstance(group, StreamsApplication) else {}
    return f"up to {max(restores.values()):,} read" if restores else ""


def stated_in(group: KindGroup) -> KindStated:
    """Return what is stated; raises InvalidNumberError."""
    return form.read(stated_for(group))


def view_in(reading: Reading, group: KindGroup, said: KindStated, known: Sequence[str]) -> KindView:
    """Return what is asked about the group; who is to leave and is unknown stays."""
    gone = told.WITHOUT.text() or ""
    without = (gone,) if gone in known else ()
    what = OtherMembers(
        said.more,
        without,
        said.threads if isinstance(said, ClassicStated | BrokerStated) else 0,
        is_leader=bool(without) and told.IS_LEADER.chosen() == "yes",
    )
    return view_of(group, reading.group, said, what, release_in(group))


def release_in(group: KindGroup) -> tuple[int, int] | None:
    """Return the release of the brokers that is stated; None for the newest."""
    chosen = told.RELEASE.chosen(_RELEASES.get(type(group), (_NEWEST,)))
    if chosen == _NEWEST:
        return None
    first, _, second = chosen.partition(".")
    return int(first), int(second)


def ask_next(name: str) -> None:
    """Ask, from the next run on, what comes if this one leaves; "" asks of the group as it is."""
    st.session_state[_NEXT] = name


def ask_more_next(group: KindGroup, more: int) -> None:
    """Ask, on the page that comes next, for that many more members of this group."""
    st.session_state[_NEXT] = ""
    st.session_state[_MORE_NEXT] = {stated_of(stated_for(group))["more"].link: more}


def take_up() -> None:
    """Fill the fields with what a button or another page asked, before they are drawn.

    A page's fields are others than those of the same name on the page before, and begin blank
    unless they are set here.
    """
    for each in (*_LINKS, told.WITHOUT.name):
        if each in st.session_state:
            st.session_state[each] = st.session_state[each]
    name = st.session_state.pop(_NEXT, None)
    if name is None:
        return
    st.session_state[told.WITHOUT.name] = name
    keep(told.WITHOUT.name, [name] if name else [])
    more: dict[str, int] = st.session_state.pop(_MORE_NEXT, {})
    for each in _LINKS:
        count = more.get(each)
        st.session_state[each] = float(count) if count else None
        keep(each, [f"{count}"] if count else [])


_NEXT: Final = "kinds_asked_next"
_MORE_NEXT: Final = "kinds_more_next"
_LINKS: Final = ("instances_more", "threads_more", "workers_more", "consumers_more")
