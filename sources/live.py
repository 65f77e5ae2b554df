"""Groups of a running cluster, for the Connect page and for the command line."""

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from heapq import nlargest
from typing import Any, Final, NamedTuple, TextIO, TypeVar

import numpy as np

from assignors.model import FloatArray
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.reading import Reading
from live import groups as live_groups
from live import reading as live_reading
from live import times as live_times
from live.access import Access, servers_in
from live.client_config import ClientConfig, read_config
from live.cluster import Cluster, connected
from live.connect_rest import connectors
from live.errors import BROKE_OFF, CancelledError, LiveError
from live.model import GroupList, GroupReading, LiveTopic, NamedPartition
from live.read_options import CANCELLED, ReadOptions
from processes.calls import DiedError, call
from processes.messages import tell
from sources.errors import SourceError, guarded
from sources.live_groups import kind_listed, reading_of
from sources.options import Options
from sources.text import read_text

_Result = TypeVar("_Result")
_MOST_AGES: Final = 500
"""The most partitions whose time lag is requested from the cluster, by descending lag."""
_PROTOCOL: Final = re.compile(r"\b(?:SASL_)?(?:PLAINTEXT|SSL)://")
"""The protocol that librdkafka accepts before a server."""
_STEADY: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Linux's usual monotonic clock stops while a laptop sleeps."""
_BEGAN_S: Final = time.time() - time.clock_gettime(_STEADY)


@contextmanager
def _one_error_family() -> Iterator[None]:
    """Turn errors of ``live``, and bugs, into a SourceError."""
    with guarded("the cluster"):
        try:
            yield
        except LiveError as error:
            raise SourceError(str(error)) from error


def config_of(
    text: str, servers: str | None = None, defaults: Mapping[str, str] | None = None
) -> ClientConfig:
    """Return the configuration in a ``client.properties`` text. Raises SourceError."""
    with _one_error_family():
        config = read_config(text, servers, defaults)
        if config.properties.servers:
            servers_in(_PROTOCOL.sub("", config.properties.servers))
        return config


def list_groups(
    config: ClientConfig, read_options: ReadOptions | None = None, access: Access | None = None
) -> GroupList:
    """Return the groups of the cluster, of every kind. Raises SourceError."""
    return apart(live_groups.list_all_groups, config, read_options, access)


def read_group(
    config: ClientConfig,
    group_id: str,
    read_options: ReadOptions | None = None,
    access: Access | None = None,
    *,
    with_times: bool = False,
) -> Reading:
    """Return one group of the cluster. Raises SourceError.

    ``with_times`` adds a history of one moment, with the topics' retention and time lags.
    """
    read = apart(_read, config, read_options, access, group_id, with_times)
    with _one_error_family():
        reading = reading_of(read.group, config.auto_offset_reset)
        history = read.history
        if history is not None:
            moment = Moment.of(reading.group, _BEGAN_S + read.steady_s)._replace(age_s=read.ages)
            history = replace(history, moments=(moment,))
        return replace(reading, notes=(*reading.notes, *config.notes), history=history)


def read_workers(
    url: str, read_options: ReadOptions | None = None, access: Access | None = None
) -> tuple[Reading, ...]:
    """Return the workers of a Connect cluster, by the REST API of one. Raises SourceError."""
    with _one_error_family():
        text = connectors(url, access, (read_options or ReadOptions()).timeout_s)
    return tuple(replace(each, is_live=True) for each in read_text(text))


class _Read(NamedTuple):
    """One group as it was read."""

    group: GroupReading
    steady_s: float
    """When, on the steady clock, which all processes share."""
    history: OffsetHistory | None
    ages: dict[str, FloatArray]


def _read(cluster: Cluster, group_id: str, with_times: bool) -> _Read:
    group = live_reading.read_group(cluster, group_id)
    steady_s = time.clock_gettime(_STEADY)
    if not with_times:
        return _Read(group, steady_s, None, {})
    return _Read(group, steady_s, *_times(cluster, group))


def apart(
    read: Callable[..., _Result],
    config: ClientConfig,
    read_options: ReadOptions | None,
    access: Access | None,
    *arguments: object,
    hear: Callable[..., object] | None = None,
) -> _Result:
    """Return ``read(cluster, *arguments)`` from a process of its own. Raises SourceError.

    ``hear`` is called with what the function tells (see processes.messages.tell), in place of its
    progress.
    """
    options = read_options or ReadOptions()
    theirs = ReadOptions(timeout_s=options.timeout_s)
    if hear is None:
        theirs, hear = replace(theirs, progress=tell), options.progress

    def check() -> None:
        if options.is_cancelled():
            raise CancelledError(CANCELLED)

    with _one_error_family():
        try:
            result: _Result = call(
                _read_guarded,
                *(read, dict(config.properties)),
                *(theirs, access, *arguments),
                checks=(check,),
                hear=hear,
                is_limited=False,
            )
        except DiedError as error:
            raise LiveError(BROKE_OFF) from error
        return result


def _read_guarded(read: Callable[..., _Result], *arguments: Any) -> _Result:  # noqa: ANN401 -- those of connected
    with _one_error_family():
        return connected(read, *arguments)


def latest(
    committed: Mapping[NamedPartition, int], topics: Mapping[str, LiveTopic], most: int
) -> list[NamedPartition]:
    """Return the partitions with most lag that still exist, in descending order.

    >>> topic = LiveTopic("t", ((), ()), (0, 0), (9, 7))
    >>> latest({("t", 0): 7, ("t", 1): 2, ("t", 2): 1, ("gone", 0): 0}, {"t": topic}, 3)
    [('t', 1), ('t', 0)]
    """
    lags = {
        partition: (topic.end[partition[1]] or 0) - offset
        for partition, offset in committed.items()
        if (topic := topics.get(partition[0])) and partition[1] < topic.partitions
    }
    return nlargest(most, (each for each, lag in lags.items() if lag > 0), key=lags.__getitem__)


def _times(
    cluster: Cluster, live_group: GroupReading
) -> tuple[OffsetHistory, dict[str, FloatArray]]:
    """Return retention by topic and ages of the largest lags, unknown if access is denied."""
    late = latest(live_group.committed, live_group.topics, _MOST_AGES)
    try:
        age_of = live_times.ages(cluster, {p: live_group.committed[p] for p in late}, time.time())
        kept = live_times.retentions(cluster, live_group.topics)
    except LiveError:  # an older or unreachable broker; the group itself is known
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


def readings(options: Options, stderr: TextIO) -> Iterator[Reading]:
    """Yield the groups named on the command line. Raises SourceError."""
    if options.file != "-":
        message = (
            "give either a file or --bootstrap-server; found the file "
            f"{options.file!r} beside the options"
        )
        raise SourceError(message)
    if options.connect_url:
        yield from read_workers(options.connect_url, _read_options(options, stderr))
        return
    if not options.group:
        message = "name a group with --group; --list-groups lists them"
        raise SourceError(message)
    config = config_of(options.command_config or "", options.bootstrap_server)
    for name in options.group:
        yield read_group(config, name, _read_options(options, stderr))


def listing(options: Options, stderr: TextIO) -> Iterator[dict[str, object]]:
    """Yield the groups of the cluster; report brokers that did not answer on ``stderr``."""
    config = config_of(options.command_config or "", options.bootstrap_server)
    group_list = list_groups(config, _read_options(options, stderr))
    stderr.writelines(f"assign.py: {error}\n" for error in group_list.errors)
    for group in group_list.groups:
        kind = kind_listed(group)
        yield {
            "id": group.id,
            "state": group.state,
            "protocol": group.protocol,
            "kind": None if kind is None else kind.value,
        }


def _read_options(options: Options, stderr: TextIO) -> ReadOptions:
    """Return the timeout, with a progress line if ``stderr`` is a terminal."""

    def show(what: str, done: int, total: int) -> None:
        if stderr.isatty():
            stderr.write(f"\r{what}: {done:,} of {total:,}\x1b[K" + ("\n" * (done >= total)))

    return ReadOptions(timeout_s=options.timeout.total_seconds(), progress=show)
