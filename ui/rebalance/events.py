"""The forms for the next event, one for each kind."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Final

import streamlit as st

from assignors.model import Group
from evaluation.capacity.resizing import names_like
from evaluation.rebalance.events import (
    AddPartitions,
    AddTopic,
    ComeBack,
    Event,
    Join,
    Leave,
    Rejoin,
    Subscribe,
)
from ui.draft.tables import separated

_MOST_JOINING: Final = 10_000
_OFFERED: Final = 2_000
"""The most names sent to the browser; others can be typed."""


def choose_event(group: Group, turn: int) -> Event | None:
    """Show the form of the chosen kind of event; return the event when it is submitted.

    A new ``turn`` resets the inputs after an event has been added.
    """
    kind = st.selectbox("What happens next", list(_FORMS), key="event_kind")
    with st.form(f"event {kind} {turn}", border=False):
        event = _FORMS[kind](group)
        is_submitted = st.form_submit_button("Add to the history", type="primary")
    return event if is_submitted else None


def joining(written: str, members: Sequence[str]) -> tuple[str, ...]:
    """Parse joining consumers: names separated by commas, or a number; empty means one.

    >>> joining("2", ["c08", "c09"]), joining("x, y", ["c0"]), joining("", ["app-a"])
    (('c10', 'c11'), ('x', 'y'), ('app-a-1',))
    """
    names = tuple(separated(written))
    if len(names) > 1 or (names and not names[0].isdecimal()):
        return names
    return tuple(islice(names_like(members), int(names[0]) if names else 1))


def leaving(count: int, chosen: Sequence[str], members: Sequence[str]) -> tuple[str, ...]:
    """Return leaving consumers: those chosen, or else this many, the last by id.

    >>> leaving(1, ["c1"], ["c0", "c1", "c2"]), leaving(2, [], ["c0", "c1", "c2"])
    (('c1',), ('c1', 'c2'))
    """
    return tuple(chosen or members[max(len(members) - count, 0) :])


def _join(group: Group) -> Event | None:
    written = st.text_input(
        "Consumers",
        placeholder="how many, or their names",
        help="A number, or names separated by commas; blank adds one. The member id decides the "
        "place in the order, and so who gets what under range and round robin.",
    )
    topics = _several("Topics", group.topics, "the same as the others")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        racks = st.text_input(
            "Racks",
            placeholder="none",
            help="client.rack, separated by commas; the new consumers take them in turn",
        )
        is_static = st.toggle(
            "Static ids", help="Gives each a group.instance.id equal to its name (KIP-345)"
        )
    if written.strip().isdecimal() and int(written) > _MOST_JOINING:
        st.error(f"At most {_MOST_JOINING:,} consumers can join at once.")
        return None
    ids = joining(written, group.members)
    return Join(
        ids=ids,
        topics=tuple(topics) or None,
        racks=tuple(separated(racks)),
        instance_ids=ids if is_static else (),
    )


def _leave(group: Group) -> Event:
    count = st.number_input(
        "How many", 1, max(group.member_count, 1), help="The last by member id, unless you name any"
    )
    chosen = _several("Or which", group.members, "choose or type names")
    return Leave(leaving(int(count), chosen, group.members))


def _come_back(group: Group) -> Event:
    old = _one("Consumer", group.members)
    new = st.text_input(
        "Member id after the restart",
        placeholder=f"{old}-restarted",
        help="Kafka appends a random UUID to the client.id, so a restarted consumer can take any "
        "place in the order of ids.",
    )
    is_static = st.toggle(
        "It has a static id",
        help="group.instance.id (KIP-345): the coordinator recognises the consumer, and the group "
        "does not rebalance. Consumers with a static id on the Group page always behave so.",
    )
    is_known = (
        old in group.members and group.layout.instance_ids[group.members.index(old)] is not None
    )
    return ComeBack(
        old_id=old,
        new_id=new.strip() or f"{old}-restarted",
        instance_id=f"{old} (static)" if is_static and not is_known else None,
    )


def _add_partitions(group: Group) -> Event:
    topic = _one("Topic", group.topics)
    more = st.number_input("Partitions to add", value=1, step=1)
    return AddPartitions(topic, int(more))


def _add_topic(group: Group) -> Event:
    del group
    name = st.text_input("Name", placeholder="new-topic")
    partitions = st.number_input("Partitions", value=6, step=1)
    st.markdown("Consumers that subscribe to every other topic subscribe to this one too.")
    return AddTopic(name.strip(), int(partitions))


def _subscribe(group: Group) -> Event:
    ids = _several("Consumers", group.members, "choose")
    topics = _several("Subscribe only to", group.topics, "nothing")
    return Subscribe(tuple(ids), tuple(topics))


def _rejoin(group: Group) -> Event:
    del group
    st.markdown(
        "All consumers rejoin and claim what they own. Any move is needless, unless consumers "
        "claim the same partition in different generations."
    )
    return Rejoin()


def _one(label: str, names: Sequence[str]) -> str:
    offered = names[:_OFFERED]
    chosen = st.selectbox(label, offered, accept_new_options=len(names) > len(offered))
    return chosen or ""


def _several(label: str, names: Sequence[str], placeholder: str) -> list[str]:
    return st.multiselect(label, names[:_OFFERED], placeholder=placeholder, accept_new_options=True)


_FORMS: Final[Mapping[str, Callable[[Group], Event | None]]] = {
    "Consumers join": _join,
    "Consumers leave": _leave,
    "A consumer restarts": _come_back,
    "Partitions are added": _add_partitions,
    "A topic is created": _add_topic,
    "A subscription changes": _subscribe,
    "All consumers rejoin": _rejoin,
}
