"""Random share groups."""

from base64 import urlsafe_b64encode
from dataclasses import replace

from hypothesis import strategies as st

from assignors.share.group import ShareAssignment, ShareGroup, ShareMember, ShareTopic

_IDS = st.binary(min_size=16, max_size=16).map(
    lambda data: urlsafe_b64encode(data).decode().rstrip("=")
)


@st.composite
def share_groups(draw: st.DrawFn, *, equal: bool = False) -> ShareGroup:
    """Draw a group whose members may hold partitions, some of them no longer wanted."""
    names = draw(st.lists(st.sampled_from(["orders", "mail", "a", "b"]), min_size=1, unique=True))
    topics = {name: ShareTopic(draw(st.integers(1, 20)), draw(_IDS)) for name in names}
    every = [(name, at) for name, topic in topics.items() for at in range(topic.partitions)]
    subscriptions = st.just(names) if equal else st.lists(st.sampled_from(names), unique=True)
    ids = draw(st.lists(_IDS, min_size=1, max_size=25, unique=True))
    held = st.frozensets(st.sampled_from(every), max_size=8)
    return ShareGroup(topics, [ShareMember(each, draw(subscriptions), draw(held)) for each in ids])


def holding(group: ShareGroup, answer: ShareAssignment) -> ShareGroup:
    """Return the group once its members hold what they were assigned."""
    members = [replace_held(each, answer) for each in group.members]
    return replace(group, members=members)


def replace_held(member: ShareMember, answer: ShareAssignment) -> ShareMember:
    """Return a member that holds its part of the answer."""
    return member._replace(held=answer.members[member.id])
