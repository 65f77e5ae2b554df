"""Share groups: vectors of ``SimpleAssignor``."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from assignors.share.group import ShareAssignment, ShareGroup, ShareMember, ShareTopic
from assignors.share.preview import InconsistentMembersError, hashed
from assignors.share.simple import simple

ASSIGN: Final[Mapping[str, Callable[[ShareGroup], ShareAssignment]]] = {
    "4.1": hashed,
    "4.2": simple,
}
"""By the release from which on it holds."""


def group_of(record: Mapping[str, Any]) -> ShareGroup:
    topics = {name: ShareTopic(t["partitions"], t["id"]) for name, t in record["topics"].items()}
    members = [
        ShareMember(m["id"], m["topics"], frozenset(_pairs(m["assigned"])))
        for m in record["members"]
    ]
    return ShareGroup(topics, members)


def agrees(record: Mapping[str, Any], release: str) -> bool:
    group = group_of(record)
    order = [member.id for member in group.members_in_order]
    if order != record.get("member_order", order):
        return False
    try:
        found = ASSIGN[release](group)
    except InconsistentMembersError:
        return "error" in record
    expected = record.get("expected", {})
    return found.members == {member: _pairs(held) for member, held in expected.items()}


def _pairs(held: Mapping[str, list[int]]) -> set[tuple[str, int]]:
    return {(topic, number) for topic, numbers in held.items() for number in numbers}
