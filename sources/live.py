"""Groups of a running cluster: read through ``live``, returned as a ``Reading``."""

import math
import re
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from heapq import nlargest
from pathlib import Path
from typing import Final, TextIO

import numpy as np

from assignors.lag.offsets import lag_from_offsets
from assignors.model import UNKNOWN, FloatArray
from assignors.numbering import Member, Topic, group_of
from evaluation.offset_history import Moment, OffsetHistory
from evaluation.wording import listed
from live import client_config
from live import groups as live_groups
from live import reading as live_reading
from live import times as live_times
from live.access import Access, servers_in
from live.client_config import ClientConfig
from live.cluster import Cluster, connect
from live.errors import LiveError
from live.model import GroupDescription, GroupList, GroupReading
from live.model import Member as LiveMember
from live.model import Topic as LiveTopic
from live.properties import parse_properties
from live.read_options import ReadOptions
from sources.errors import SourceError
from sources.reading import Reading, notes_on

_STRATEGIES: Final = {
    "classic": {name: name for name in ("range", "roundrobin", "sticky", "cooperative-sticky")},
    "consumer": {"uniform": "uniform-kafka-18688", "range": "server-range"},
}
"""The brokers' names of the strategies, by the group's protocol."""
_NAMED: Final = 4
_MOST_CHARACTERS: Final = 1_000_000
"""Of a file of properties, certificates included."""
_MOST_AGES: Final = 500
"""Partitions whose time lag is requested from the cluster, those that lag most."""
_PROTOCOL: Final = re.compile(r"\b(?:SASL_)?(?:PLAINTEXT|SSL)://")
"""What librdkafka lets people write before a server."""


def config_of(
    text: str, servers: str | None = None, fields: Mapping[str, str] | None = None
) -> ClientConfig:
    """Return the configuration in a ``client.properties`` text, with defaults from the fields.

    Raises SourceError in a sentence.
    """
    return config_from({**(fields or {}), **parse_properties(text)}, servers)


@contextmanager
def _one_error_family() -> Iterator[None]:
    """Turn what ``live`` raises into a SourceError."""
    try:
        yield
    except LiveError as error:
        raise SourceError(str(error)) from error


def config_from(given: Mapping[str, str], servers: str | None = None) -> ClientConfig:
    """Return what these client properties mean. Raises SourceError in a sentence."""
    with _one_error_family():
        config = client_config.config_of(given, servers)
        if config.properties.servers:
            servers_in(_PROTOCOL.sub("", config.properties.servers))
        return config


def list_groups(
    config: ClientConfig, read_options: ReadOptions | None = None, access: Access | None = None
) -> GroupList:
    """Return the groups of the cluster. Raises SourceError in a sentence."""
    with _one_error_family(), connect(config.properties, read_options, access) as cluster:
        return live_groups.list_groups(cluster)


def read_group(
    config: ClientConfig,
    group_id: str,
    read_options: ReadOptions | None = None,
    access: Access | None = None,
    *,
    with_times: bool = False,
) -> Reading:
    """Return one group of the cluster as it is now. Raises SourceError in a sentence.

    ``with_times``: its history has one moment, its topics' retention and its time lags.
    """
    with _one_error_family(), connect(config.properties, read_options, access) as cluster:
        live_group = live_reading.read_group(cluster, group_id)
        now_s = time.time()
        history, ages = _times(cluster, live_group, now_s) if with_times else (None, {})
    reading = reading_of(live_group, config.auto_offset_reset)
    if history is not None:
        moments = (Moment.of(reading.group, now_s)._replace(age_s=ages),)
        history = replace(history, moments=moments)
    return replace(reading, notes=(*reading.notes, *config.notes), history=history)


def _times(
    cluster: Cluster, live_group: GroupReading, now_s: float
) -> tuple[OffsetHistory, dict[str, FloatArray]]:
    """Return retention by topic and the age of what lags most; what is denied stays unknown."""
    lags = {
        place: (topic.end[place[1]] or 0) - offset
        for place, offset in live_group.committed.items()
        if (topic := live_group.topics.get(place[0])) and place[1] < topic.partitions
    }
    late = nlargest(
        _MOST_AGES, (place for place, lag in lags.items() if lag > 0), key=lags.__getitem__
    )
    try:
        age_of = live_times.ages(cluster, {p: live_group.committed[p] for p in late}, now_s)
        kept = live_times.retentions(cluster, live_group.topics)
    except LiveError:  # an older broker, or one that has just gone: the group itself is known
        return OffsetHistory(), {}
    ages = {t.name: np.full(t.partitions, np.nan) for t in live_group.topics.values()}
    for (topic_name, partition), age in age_of.items():
        ages[topic_name][partition] = age
    known = {name: each for name, each in kept.items() if not isinstance(each, LiveError)}
    history = OffsetHistory(
        retention_s={name: each.seconds for name, each in known.items()},
        unlimited=frozenset(name for name, each in known.items() if each.bytes_ == math.inf),
    )
    return history, ages


def readings(options: Namespace, stderr: TextIO) -> Iterator[Reading]:
    """Yield the groups that the command line names. Raises SourceError."""
    if options.file != "-":
        message = (
            "give either a file or --bootstrap-server; found the file "
            f"{options.file!r} beside the options"
        )
        raise SourceError(message)
    if not options.group:
        message = "name a group with --group; --list-groups lists them"
        raise SourceError(message)
    config = _config(options)
    for name in options.group:
        yield read_group(config, name, _read_options(options, stderr))


def listing(options: Namespace, stderr: TextIO) -> Iterator[dict[str, object]]:
    """Yield the groups of the cluster; report brokers that did not answer on ``stderr``."""
    group_list = list_groups(_config(options), _read_options(options, stderr))
    stderr.writelines(f"assign.py: {error}\n" for error in group_list.errors)
    for group in group_list.groups:
        yield {"id": group.id, "state": group.state, "protocol": group.protocol}


def _config(options: Namespace) -> ClientConfig:
    """Return the client's configuration; the file may also name the servers."""
    text = ""
    if options.command_config:
        try:
            with Path(options.command_config).open(errors="replace") as file:
                text = file.read(_MOST_CHARACTERS)
        except (OSError, ValueError) as error:  # a name may be none at all
            reason = getattr(error, "strerror", error)
            message = f"{options.command_config} cannot be read: {reason}"
            raise SourceError(message) from error
    return config_of(text, options.bootstrap_server)


def _read_options(options: Namespace, stderr: TextIO) -> ReadOptions:
    """Return the timeout, with a progress line where ``stderr`` is a terminal."""

    def show(what: str, done: int, total: int) -> None:
        if stderr.isatty():
            stderr.write(f"\r{what}: {done:,} of {total:,}\x1b[K" + ("\n" * (done >= total)))

    return ReadOptions(timeout_s=options.timeout.total_seconds(), progress=show)


def reading_of(live_group: GroupReading, auto_offset_reset: str | None = None) -> Reading:
    """Return a group as the cluster describes it, with notes on what is assumed.

    Where nothing is committed the lag depends on ``auto.offset.reset``, which consumers
    do not report: without it that lag is unknown. A member without a reported subscription
    subscribes to the topics it owns or is about to own, or to all of the group's topics if
    there are none.
    """
    description = live_group.description
    topics = {t.name: _topic(t, live_group, auto_offset_reset) for t in live_group.topics.values()}
    group = group_of(
        topics,
        [_member(member, list(topics)) for member in description.members],
        id=live_group.id,
        auto_offset_reset=auto_offset_reset or "latest",
    )
    return Reading(
        group=group,
        format=f"a live group ({description.protocol} protocol, {description.state})",
        rows=group.partition_count,
        notes=(*_assumed(live_group, auto_offset_reset), *notes_on(group)),
        is_live=True,
        is_stable=description.state in ("Stable", "Empty") and not _is_moving(description),
        strategy=_STRATEGIES.get(description.protocol, {}).get(description.assignor),
    )


def _topic(topic: LiveTopic, live_group: GroupReading, auto_offset_reset: str | None) -> Topic:
    committed = [live_group.committed.get((topic.name, p)) for p in range(topic.partitions)]
    return Topic(
        partitions=topic.partitions,
        racks=topic.racks if any(topic.racks) else None,
        lags=None if auto_offset_reset else _lags(topic, committed),
        begin=_if_any(topic.begin),
        end=_if_any(topic.end),
        committed=_if_any(committed),
        topic_id=topic.id,
    )


def _lags(topic: LiveTopic, committed: Sequence[int | None]) -> list[int | None]:
    """Return the lags; without begin offsets nothing follows where nothing is committed."""
    begin, end, read_to = (
        np.array([UNKNOWN if value is None else value for value in values], np.int64)
        for values in ([None] * topic.partitions, topic.end, committed)
    )
    lags = lag_from_offsets(begin, end, read_to, "none")
    return [None if lag == UNKNOWN else lag for lag in lags.tolist()]


def _if_any(values: Sequence[int | None]) -> Sequence[int | None] | None:
    return None if all(value is None for value in values) else values


def _member(member: LiveMember, topics: list[str]) -> Member:
    owned = dict.fromkeys(topic for topic, _ in (*member.owned, *(member.target or ())))
    wanted = list(owned) or topics if member.subscription is None else list(member.subscription)
    return Member(
        id=member.id,
        topics=wanted,
        instance_id=member.instance_id,
        rack=member.rack,
        owned=member.owned,
    )


def _assumed(live_group: GroupReading, auto_offset_reset: str | None) -> Iterator[str]:
    description = live_group.description
    if not live_group.topics:
        yield (
            "The cluster shows no topics for this group: it has committed nothing, or the user "
            "lacks the DESCRIBE permission on its topics."
        )
    if not description.members:
        yield f"The group is {description.state} and has no consumers: add some to assign to."
    elif any(member.subscription is None for member in description.members):
        yield (
            "The cluster does not report subscriptions: each consumer is assumed to subscribe to "
            "the topics it owns, or to all of the group's topics if it owns none."
        )
    exist = {(t.name, p) for t in live_group.topics.values() for p in range(t.partitions)}
    uncommitted = len(exist - live_group.committed.keys())
    if uncommitted and auto_offset_reset is None:
        yield (
            f"On {uncommitted} of {len(exist)} partitions nothing is committed; their lag depends "
            "on the consumers' auto.offset.reset and is unknown unless the properties set it."
        )
    if live_group.missing_topics:
        missing = listed(live_group.missing_topics, most=_NAMED)
        yield f"Topics that no longer exist were left out: {missing}."
    if _is_moving(description):
        yield "A rebalance is in progress: some consumers do not own their target partitions yet."


def _is_moving(description: GroupDescription) -> bool:
    return any(
        member.target is not None and set(member.target) != set(member.owned)
        for member in description.members
    )
