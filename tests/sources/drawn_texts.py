"""What tools print of a drawn group, with columns, rows, tables and members left out at random."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, NamedTuple

import numpy as np

from assignors.catalogue import strategies
from assignors.model import UNOWNED, Group
from assignors.numbering import Member, Topic, group_of

_STRATEGIES: Final = ("range", "roundrobin", "sticky", "cooperative-sticky")
_UUID: Final = "{0:08x}-1111-4a4a-8b8b-0123456789ab"


@dataclass(frozen=True)
class Drawn:
    """A true group, and the text that a tool printed of it, as far as it was copied."""

    truth: Group
    text: str
    is_cut: bool
    """Whether rows are missing that the text does not betray: at the end of a topic, of members."""
    strategy: str = ""
    """What assigned the owners."""


class _True(NamedTuple):
    """A true group, the strategy that assigned its partitions, and what it was a minute before."""

    group: Group
    strategy: str
    before: Group


def drawn(chance: Random) -> Drawn:
    """Return a group and a text of it."""
    true = _truth(chance)
    write = chance.choice(_WRITERS)
    made = replace(write(true, chance), strategy=true.strategy)
    names_owners = "CONSUMER-ID" in made.text or "MEMBER-ID" in made.text
    return _cut_within_a_row(made, chance) if names_owners and chance.random() < 0.1 else made


def _cut_within_a_row(made: Drawn, chance: Random) -> Drawn:
    """Return a text that ends within its last line, as when too little was selected."""
    *_, above, last = made.text.splitlines()
    if "CURRENT-OFFSET" in above:
        return made  # without a row, the table is none: another above it is all that is left
    kept = made.text.rstrip("\n")[: -chance.randint(1, max(len(last) - 1, 1))]
    return replace(made, text=kept, is_cut=True)


def _truth(chance: Random) -> _True:
    """Draw a group that a strategy has assigned, after consumers joined or left, or in part."""
    names = [f"topic{k}" for k in range(chance.randint(1, 4))]
    topics = {
        name: Topic(
            (size := chance.randint(1, 5)),
            committed=[(c := chance.randint(1, 1000))] + [c + k for k in range(1, size)],
            end=[c + k + chance.choice((0, 0, 7, 90)) for k in range(size)],
        )
        for name in names
    }
    applications = chance.choice((1, 1, 1, 2)) if len(names) > 1 else 1
    client, members = chance.choice(("app", "app", "rdkafka", "kgo")), []
    for k in range(chance.choice((0, 1, 1, 2, 2, 3, 5))):
        of = k % applications
        wanted = [name for place, name in enumerate(names) if place % applications == of]
        own = f"{client}-{of}" if applications > 1 else client
        members.append(
            Member(f"{own}-{_UUID.format(chance.randrange(2**32))}", wanted, client_id=own)
        )
    group = group_of(topics, members, id="g1")
    strategy = strategies()[chance.choice(_STRATEGIES)]
    if not members:
        return _True(group, strategy.name, _before(group, chance))
    owners = strategy.settle(group)
    if chance.random() < 0.3:
        owners = np.where(np.arange(owners.size) == chance.randrange(owners.size), UNOWNED, owners)
    group = group.owned_by(owners.astype(np.int32), 1)
    return _True(group, strategy.name, _before(group, chance))


def _before(group: Group, chance: Random) -> Group:
    """Return the group a minute before: fewer records, at times other owners."""
    committed, end = group.offsets.committed, group.offsets.end
    assert committed is not None
    assert end is not None
    read, arrived = (chance.choice((0, 0, 3, 9)) for _ in range(2))
    steps = np.array([chance.random() < 0.7 for _ in committed])
    earlier = np.maximum(committed - read * steps, 0)
    then = np.maximum(end - (read + arrived) * steps, earlier)
    offsets = replace(group.offsets, committed=earlier, end=then, lags=then - earlier)
    owners = group.present_owners
    if chance.random() < 0.2 and group.member_count:
        owners = np.roll(owners, 1)
    return replace(group, offsets=offsets).owned_by(owners, 1)


def _rows(truth: Group, chance: Random) -> tuple[list[int], bool]:
    """Return the partitions that were copied, and whether a topic lacks its last."""
    share = chance.choice((0, 0, 0, 0.2, 0.6))
    kept = [p for p in range(truth.partition_count) if chance.random() >= share] or [0]
    if chance.random() < 0.2:
        chance.shuffle(kept)
    last = {int(truth.topic_span(t).stop) - 1 for t in range(len(truth.topics))}
    return kept, not last <= set(kept)


def _figures(truth: Group, partition: int) -> tuple[str, int, int, int, int]:
    committed, end = truth.offsets.committed, truth.offsets.end
    assert committed is not None
    assert end is not None
    topic = truth.topics[int(truth.topic_of_partition[partition])]
    number = int(truth.number_in_topic[partition])
    behind = int(end[partition] - committed[partition])
    return topic, number, int(committed[partition]), int(end[partition]), behind


def _owner(truth: Group, partition: int) -> str:
    owner = int(truth.present_owners[partition])
    return "" if owner == UNOWNED else truth.members[owner]


def _describe(true: _True, chance: Random) -> Drawn:
    return _table(true.group, chance)


def _table(truth: Group, chance: Random) -> Drawn:
    kept, is_cut = _rows(truth, chance)
    columns = ["GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG"]
    columns += ["CONSUMER-ID", "HOST", "CLIENT-ID"][: chance.choice((0, 1, 2, 3, 3, 3))]
    if chance.random() < 0.2:
        columns.remove(chance.choice(("GROUP", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG")))
    lines = [columns]
    for partition in kept:
        topic, number, committed, end, lag = _figures(truth, partition)
        owner = _owner(truth, partition)
        cells = {
            "GROUP": "g1",
            "TOPIC": topic,
            "PARTITION": number,
            "CURRENT-OFFSET": committed,
            "LOG-END-OFFSET": end,
            "LAG": lag,
            "CONSUMER-ID": owner or "-",
            "HOST": "/10.0.0.1" if owner else "-",
            "CLIENT-ID": truth.layout.client_ids.get(owner, "-"),
        }
        lines.append([str(cells[column]) for column in columns])
    owning = {_owner(truth, partition) for partition in kept}
    idle = [member for member in truth.members if member not in owning]
    shows_idle = "CONSUMER-ID" in columns and columns[0] == "GROUP" and chance.random() < 0.5
    if shows_idle and "CLIENT-ID" in columns:
        held = {_owner(truth, partition) for partition in range(truth.partition_count)}
        for member in (each for each in idle if each not in held):
            blank = dict.fromkeys(columns, "-") | {"GROUP": "g1", "CONSUMER-ID": member}
            blank |= {"HOST": "/10.0.0.1", "CLIENT-ID": truth.layout.client_ids[member]}
            lines.append([blank[column] for column in columns])
            idle.remove(member)
    text = _aligned(lines)
    if not truth.members and chance.random() < 0.8:
        text = f"Consumer group 'g1' has no active members.\n\n{text}"
    if truth.members and chance.random() < 0.3:
        text += "\n" + _aligned(_members(truth, is_verbose=chance.random() < 0.5))
        idle = []
    return Drawn(truth, text, is_cut or bool(idle))


def _members(truth: Group, *, is_verbose: bool) -> list[list[str]]:
    lines = [["GROUP", "CONSUMER-ID", "HOST", "CLIENT-ID", "#PARTITIONS"]]
    lines[0] += ["ASSIGNMENT"] if is_verbose else []
    for number, member in enumerate(truth.members):
        held = np.flatnonzero(truth.present_owners == number).tolist()
        cells = ["g1", member, "/10.0.0.1", truth.layout.client_ids[member], str(len(held))]
        by_topic: dict[str, list[str]] = {}
        for partition in held:
            topic, place, *_ = _figures(truth, partition)
            by_topic.setdefault(topic, []).append(str(place))
        listed = ", ".join(f"{topic}({','.join(own)})" for topic, own in by_topic.items())
        lines.append([*cells, listed or "-"] if is_verbose else cells)
    return lines


def _of_members(true: _True, chance: Random) -> Drawn:
    truth = true.group
    if not truth.members:
        return _describe(true, chance)
    lines = _members(truth, is_verbose=True)
    is_cut = chance.random() < 0.3 and len(lines) > 2
    if is_cut:
        del lines[chance.randrange(1, len(lines))]
    held = set(np.unique(truth.present_owners).tolist())
    ends = {int(truth.topic_span(t).stop) - 1 for t in range(len(truth.topics))}
    is_cut |= any(truth.present_owners[end] == UNOWNED for end in ends) or UNOWNED in held
    return Drawn(truth, _aligned(lines), is_cut)


def _rpk(true: _True, chance: Random) -> Drawn:
    truth = true.group
    kept, is_cut = _rows(truth, chance)
    state = "Stable" if truth.members else "Empty"
    head = f"GROUP        g1\nCOORDINATOR  1\nSTATE        {state}\nBALANCER     {true.strategy}\n"
    head += f"MEMBERS      {truth.member_count}\nTOTAL-LAG    0\n\n"
    columns = ["TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG"]
    columns += ["MEMBER-ID", "CLIENT-ID", "HOST"] if truth.members else []
    lines = [columns]
    for partition in kept:
        owner = _owner(truth, partition)
        cells = [str(cell) for cell in _figures(truth, partition)]
        own = [owner, truth.layout.client_ids[owner], "10.0.0.1"] if owner else []
        lines.append([*cells, *own])
    return Drawn(truth, head + _aligned(lines), is_cut)


def _burrow(true: _True, chance: Random) -> Drawn:
    truth = true.group
    kept, is_cut = _rows(truth, chance)
    has_owners = chance.random() < 0.5
    partitions = []
    for partition in kept:
        topic, number, committed, _, lag = _figures(truth, partition)
        commit = {"offset": committed, "timestamp": 1_700_000_000_000, "lag": lag}
        own = {"owner": _owner(truth, partition), "client_id": ""} if has_owners else {}
        partitions.append(
            {"topic": topic, "partition": number, "status": "OK", "start": commit, "end": commit}
            | own
            | {"current_lag": lag}
        )
    status = {"cluster": "c", "group": "g1", "status": "OK", "complete": 1.0}
    status |= {"partitions": partitions, "partition_count": truth.partition_count}
    text = json.dumps({"error": False, "message": "", "status": status})
    return Drawn(truth, text, is_cut or _lacks_members(truth, kept))


def _lacks_members(truth: Group, kept: Sequence[int]) -> bool:
    owning = {_owner(truth, partition) for partition in kept}
    return any(member not in owning for member in truth.members)


def _exporter(true: _True, chance: Random) -> Drawn:
    truth = true.group
    kept, is_cut = _rows(truth, chance)
    metric = chance.choice(("kafka_consumergroup_lag", "kafka_consumergroup_group_lag"))
    by_owner = metric == "kafka_consumergroup_group_lag"
    lines = []
    for partition in kept:
        topic, number, _, _, lag = _figures(truth, partition)
        name = "group" if by_owner else "consumergroup"
        labels = {name: "g1", "topic": topic, "partition": str(number)}
        owner = _owner(truth, partition)
        if by_owner:
            labels |= {"consumer_id": owner, "client_id": truth.layout.client_ids.get(owner, "")}
            labels |= {"member_host": "/10.0.0.1" if owner else ""}
        lines.append(f"{metric}{{{_labels(labels)}}} {lag}")
    if not by_owner and chance.random() < 0.5:
        lines.append(f'kafka_consumergroup_members{{consumergroup="g1"}} {truth.member_count}')
    return Drawn(truth, "\n".join(lines) + "\n", is_cut or _lacks_members(truth, kept))


def _kminion(true: _True, chance: Random) -> Drawn:
    truth = true.group
    kept, is_cut = _rows(truth, chance)
    name = "kminion_kafka_consumer_group"
    lines = []
    for partition in kept:
        topic, number, _, _, lag = _figures(truth, partition)
        labels = {"group_id": "g1", "partition_id": str(number), "topic_name": topic}
        lines.append(f"{name}_topic_partition_lag{{{_labels(labels)}}} {lag}")
    state = "Stable" if truth.members else "Empty"
    info = {"group_id": "g1", "member_count": str(truth.member_count), "state": state}
    info |= {"protocol": true.strategy if truth.members else "", "protocol_type": "consumer"}
    if chance.random() < 0.5:
        lines.insert(0, f"{name}_info{{{_labels(info)}}} 1")
    if chance.random() < 0.5:
        lines.append(f'{name}_members{{group_id="g1"}} {truth.member_count}')
    chance.shuffle(lines)
    return Drawn(truth, "\n".join(lines) + "\n", is_cut or _lacks_members(truth, kept))


def _counted_members(true: _True, chance: Random) -> Drawn:
    """Write ``--members`` without ``--verbose``, at times among other tables."""
    if not true.group.members:
        return _of_state(true, chance)
    lines = _members(true.group, is_verbose=False)
    is_cut = chance.random() < 0.3 and len(lines) > 2
    if is_cut:
        del lines[chance.randrange(1, len(lines))]
    text = _aligned(lines)
    beside = chance.choice((None, None, _of_state, _describe))
    if beside is None:
        return Drawn(true.group, text, is_cut)
    other = beside(true, chance)
    texts = [text, other.text]
    chance.shuffle(texts)
    return Drawn(true.group, "\n".join(texts), is_cut or other.is_cut)


def _of_state(true: _True, chance: Random) -> Drawn:
    truth = true.group
    head = ["GROUP", "COORDINATOR (ID)", "ASSIGNMENT-STRATEGY", "STATE", "#MEMBERS"]
    state = "Stable" if truth.members else "Empty"
    strategy = true.strategy if truth.members else "-"
    text = _aligned([head, ["g1", "b1:9092 (1)", strategy, state, str(truth.member_count)]])
    if not truth.members:
        text = f"Consumer group 'g1' has no active members.\n\n{text}"
    if chance.random() < 0.5:
        return Drawn(truth, text, is_cut=True)
    table = _table(truth, chance)
    return Drawn(truth, f"{text}\n{table.text}", table.is_cut)


def _kcat(true: _True, chance: Random) -> Drawn:
    """Write what kcat prints in each consumer, of all or of some of them."""
    truth = true.group
    shown = [m for m in range(truth.member_count) if chance.random() < 0.8]
    if not shown:
        return _describe(true, chance)
    lines = []
    for member in shown:
        held = np.flatnonzero(truth.present_owners == member).tolist()
        own = [_figures(truth, p)[:2] for p in held]
        listed = ", ".join(f"{topic} [{number}]" for topic, number in own)
        lines.append(
            f"% Group g1 rebalanced (memberid {truth.members[member]}): assigned: {listed}"
        )
        lines += [f"% Reached end of topic {topic} [{n}] at offset 7" for topic, n in own]
    owned = {int(p) for p in np.flatnonzero(np.isin(truth.present_owners, shown))}
    return Drawn(truth, "\n".join(lines) + "\n", len(owned) < truth.partition_count)


def _snapshots(true: _True, chance: Random) -> Drawn:
    """Write the table of a minute before and the present one, with dates or without."""
    seed = chance.randrange(2**32)
    # The same draws for both: one command, run twice.
    before, now = (
        _table(group, Random(seed))  # noqa: S311 -- its seed draws it again
        for group in (true.before, true.group)
    )
    write_date = chance.choice(_DATES)
    texts = [f"{write_date(minute)}{made.text}" for minute, made in enumerate((before, now))]
    if chance.random() < 0.2 and write_date is not _undated:
        texts.reverse()
    return Drawn(true.group, "\n".join(texts), before.is_cut or now.is_cut)


def _undated(minute: int) -> str:
    return f"$ kafka-consumer-groups.sh --describe --group g1  # {minute}\n"


_DATES: Final[tuple[Callable[[int], str], ...]] = (
    _undated,
    lambda minute: f"2025-11-03T10:0{minute}:00Z\n",
    lambda minute: f"Mon Nov  3 10:0{minute}:00 UTC 2025\n",
    lambda minute: (
        "Every 60.0s: kafka-consumer-groups.sh --describe --group g1"
        f"    h1: Mon Nov  3 10:0{minute}:00 2025\n\n"
    ),
)


def _labels(labels: Mapping[str, str]) -> str:
    return ",".join(f'{name}="{value}"' for name, value in labels.items())


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[k]) for line in lines if k < len(line)) for k in range(len(lines[0]))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=False)).rstrip()
        + "\n"
        for line in lines
    )


_WRITERS: Final[tuple[Callable[[_True, Random], Drawn], ...]] = (
    _describe,
    _describe,
    _of_members,
    _rpk,
    _burrow,
    _exporter,
    _kminion,
    _counted_members,
    _of_state,
    _kcat,
    _snapshots,
    _snapshots,
)
