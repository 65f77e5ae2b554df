"""Choosing what happens next: one form for each kind of event."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from uuid import NAMESPACE_OID, uuid5

import streamlit as st

from assignors.model import Group
from evaluation.events import (
    AddPartitions,
    AddTopic,
    ComeBack,
    Event,
    Join,
    Leave,
    Rejoin,
    Subscribe,
)

_NUMBERED: Final = re.compile(
    r"(?P<prefix>.*?)(?P<number>\d{1,9})(?P<uuid>-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?"
)
"""A name that ends in a number, before the UUID that Kafka appends if it did."""
_OFFERED: Final = 2_000
"""Longer lists of names are not sent to the browser; what is not offered can be typed."""


def choose_event(group: Group, turn: int) -> Event | None:
    """Show the form of the chosen kind of event; return the event when it is submitted.

    A new ``turn`` gives fresh inputs, as after an event was added.
    """
    kind = st.selectbox("What happens next", list(_FORMS), key="event_kind")
    with st.form(f"event {kind} {turn}", border=True):
        event = _FORMS[kind](group)
        is_submitted = st.form_submit_button("Add to the history", type="primary")
    return event if is_submitted else None


def joining(written: str, members: Sequence[str]) -> tuple[str, ...]:
    """Read who joins: names apart by commas, or how many; nothing written is one.

    >>> joining("2", ["c08", "c09"]), joining("x, y", ["c0"]), joining("", ["app-a"])
    (('c10', 'c11'), ('x', 'y'), ('consumer-1',))
    """
    names = tuple(name for part in written.split(",") if (name := part.strip()))
    if len(names) > 1 or (names and not names[0].isdecimal()):
        return names
    return _next_names(members, int(names[0]) if names else 1)


def leaving(chosen: Sequence[str], members: Sequence[str]) -> tuple[str, ...]:
    """Read who leaves: names, or a number alone for so many, the last by id.

    >>> leaving(["c1"], ["c0", "c1", "c2"]), leaving(["2"], ["c0", "c1", "c2"])
    (('c1',), ('c1', 'c2'))
    """
    if len(chosen) == 1 and chosen[0].isdecimal() and chosen[0] not in members:
        return tuple(members[max(len(members) - int(chosen[0]), 0) :])
    return tuple(chosen)


def _next_names(members: Sequence[str], count: int) -> tuple[str, ...]:
    """Return names that go on counting where the members' numbers end.

    The UUID that Kafka appends to a client.id does not count; a new name gets one of its
    own, the same each time.

    >>> _next_names(["app-7-9a908325-4c8a-45d9-bc52-afc12f787f20"], 1)
    ('app-8-c04cc55c-60f2-5d10-b2ad-b79aee197492',)
    """
    numbered = [found for name in members if (found := _NUMBERED.fullmatch(name))]
    if not numbered:
        prefix, width, last, has_uuid = "consumer-", 1, 0, False
    else:
        highest = max(numbered, key=lambda found: int(found["number"]))
        prefix, width, last = highest["prefix"], len(highest["number"]), int(highest["number"])
        has_uuid = highest["uuid"] is not None
    taken = set(members)
    names: list[str] = []
    while len(names) < count:
        last += 1
        name = f"{prefix}{last:0{width}}"
        name += f"-{uuid5(NAMESPACE_OID, name)}" if has_uuid else ""
        if name not in taken:
            names.append(name)
    return tuple(names)


def _join(group: Group) -> Event:
    written = st.text_input(
        "Consumers",
        placeholder=f"{_next_names(group.members, 1)[0]}, or other names, or how many",
        help="Names apart by commas, or a number. They sort among the others by name, which "
        "decides who gets what under range and roundrobin.",
    )
    topics = _several("Topics", group.topics, "as the others")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        racks = st.text_input("Racks in turn", placeholder="none", help="client.rack: a, b, c")
        is_static = st.toggle("Static ids", help="group.instance.id, equal to the name (KIP-345)")
    ids = joining(written, group.members)
    return Join(
        ids=ids,
        topics=tuple(topics) or None,
        racks=tuple(name for part in racks.split(",") if (name := part.strip())),
        instance_ids=ids if is_static else (),
    )


def _leave(group: Group) -> Event:
    chosen = _several("Consumers", group.members, "choose, or type how many")
    return Leave(leaving(chosen, group.members))


def _come_back(group: Group) -> Event:
    old = _one("Consumer", group.members)
    new = st.text_input(
        "Member id after the restart",
        placeholder=f"{old}-restarted",
        help="Kafka appends a random UUID to client.id, so a restart can land anywhere in the "
        "order of ids.",
    )
    is_static = st.toggle(
        "It has a static id",
        help="group.instance.id (KIP-345): the coordinator knows it again, and the group does "
        "not rebalance. A consumer that has one in the table of the Compare page always does.",
    )
    is_known = old in group.members and group.instance_ids[group.members.index(old)] is not None
    return ComeBack(
        old_id=old,
        new_id=new.strip() or f"{old}-restarted",
        instance_id=f"{old} (static)" if is_static and not is_known else None,
    )


def _add_partitions(group: Group) -> Event:
    topic = _one("Topic", group.topics)
    more = st.number_input("Partitions more", value=1, step=1)
    return AddPartitions(topic, int(more))


def _add_topic(group: Group) -> Event:
    del group
    name = st.text_input("Name", placeholder="new-topic")
    partitions = st.number_input("Partitions", value=6, step=1)
    st.caption("Whoever subscribes to all the other topics subscribes to it too.")
    return AddTopic(name.strip(), int(partitions))


def _subscribe(group: Group) -> Event:
    ids = _several("Consumers", group.members, "choose")
    topics = _several("Subscribe to just", group.topics, "nothing")
    return Subscribe(tuple(ids), tuple(topics))


def _rejoin(group: Group) -> Event:
    del group
    st.caption(
        "Everybody rejoins with what it claims. A strategy that moves something now moves it "
        "for nothing, unless claims of different generations had to be settled."
    )
    return Rejoin()


def _one(label: str, names: Sequence[str]) -> str:
    offered = names[:_OFFERED]
    found = st.selectbox(label, offered, accept_new_options=len(names) > len(offered))
    return found or ""


def _several(label: str, names: Sequence[str], placeholder: str) -> list[str]:
    return st.multiselect(label, names[:_OFFERED], placeholder=placeholder, accept_new_options=True)


_FORMS: Final[Mapping[str, Callable[[Group], Event]]] = {
    "Consumers join": _join,
    "Consumers leave": _leave,
    "A consumer restarts": _come_back,
    "Partitions are added": _add_partitions,
    "A topic is created": _add_topic,
    "A subscription changes": _subscribe,
    "Everybody rejoins": _rejoin,
}
