"""The rebalances in logs of Java consumers: lines of ConsumerCoordinator and AbstractCoordinator.

The phrases are those of Kafka 2.4 to 4.0. Lines of other clients and of Connect's workers are left
out.
"""

import math
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple

from evaluation.rebalance.member_log import LoggedRebalance, LogTrigger
from sources.cells import listed_in
from sources.pastes.page import Page
from sources.pastes.wrapped_logs import SIGN
from sources.pastes.written_times import written_in

_CONSUMER: Final = re.compile(
    r"\[Consumer (?:instanceId=[^,\]]{1,255}, )?clientId=(?P<consumer>[^,\]]{1,255}), "
    r"groupId=(?P<group>[^\]]{1,255})\] (?P<said>.*)"
)
_REASONS: Final[Mapping[LogTrigger, re.Pattern[str]]] = {
    LogTrigger.FENCED: re.compile(
        r"group\.instance\.id gets fenced|FencedInstanceId|FENCED_INSTANCE_ID"
    ),
    LogTrigger.POLL_TIMEOUT: re.compile(
        r"(?i)consumer poll timeout has expired|max\.poll\.interval"
    ),
    LogTrigger.DROPPED: re.compile(
        r"UNKNOWN_MEMBER_ID from (?:HEARTBEAT|OFFSET_COMMIT|SYNC_GROUP)|"
        r"Attempt to heartbeat (?:failed since member id|.{0,400}UNKNOWN_MEMBER_ID)|"
        r"session timed out without receiving a heartbeat"
    ),
    LogTrigger.CLOSED: re.compile(
        r"sending LeaveGroup request .{0,400}due to (?:the )?(?:consumer is being closed|"
        r"consumer unsubscribed|unsubscribe)"
    ),
    LogTrigger.TOPICS: re.compile(r"(?:cached metadata|subscription) has changed"),
    LogTrigger.COORDINATOR: re.compile(r"Group coordinator .{0,200} is unavailable or invalid"),
    LogTrigger.OTHERS: re.compile(r"group is (?:already )?rebalancing"),
}
"""What a line says of why the consumer joins again, in the order of attempts."""
_FOLLOW_UP: Final = re.compile(r"need to revoke partitions ")
_GIVEN_UP: Final = re.compile(
    r"(?:Revoke|Revoking|Lost) previously assigned partitions:? ?\[?(?P<named>[^\](\"]*)"
)
_JOINED: Final = re.compile(
    r"Successfully (?:joined|synced) group (?:with|in) generation "
    r"(?:Generation\{generationId=)?(?P<generation>\d{1,10})(?:.{0,999}?protocol='(?P<name>[\w-]*)')?"
)
_ADDED: Final = re.compile(r"Adding newly assigned partitions:? ?\[?(?P<named>[^\](\"]*)")
_SET: Final = re.compile(r"Setting newly assigned partitions:? ?\[?(?P<named>[^\](\"]*)")
_DAY_S: Final = 86_400.0
_LONGEST: Final = 300
"""The characters of a line in which its time is looked for."""
_MOST_ROUNDS: Final = 8
"""Of one rebalance; a cooperative one takes two."""
MOST: Final = 500
"""Rebalances of a log; the last ones are kept."""


@dataclass
class _Member:
    """What one consumer has logged since its last assignment."""

    consumer: str
    owned: set[tuple[str, int]] = field(default_factory=set)
    trigger: LogTrigger | None = None
    is_known: bool = False
    """Whether the log told of a generation before."""
    is_first_round: bool = False
    """Whether the rebalance under way takes a second round."""
    is_second_round: bool = False
    """Whether it is the second round of the last one."""
    given_up: set[tuple[str, int]] = field(default_factory=set)
    began_s: float = math.nan
    generation: int | None = None
    strategy: str = ""
    done: deque[LoggedRebalance] = field(default_factory=partial(deque, maxlen=MOST))

    def read(self, said: str, line: str) -> bool:
        """Take in what the consumer said in a line of its log; return whether it is understood."""
        if _FOLLOW_UP.search(said):
            self.is_first_round = True
            return True
        why = next((why for why, of in _REASONS.items() if of.search(said)), None)
        self.trigger = self.trigger or why
        if (joined := _JOINED.search(said)) is not None:
            self.generation = int(joined["generation"])
            self.strategy = joined["name"] or self.strategy
        elif (given := _GIVEN_UP.search(said)) is not None:
            self._give_up(frozenset(listed_in(given["named"])), line)
        elif (added := _ADDED.search(said)) is not None:
            self._assigned(frozenset(listed_in(added["named"])), line)
        elif (whole := _SET.search(said)) is not None:
            self.owned.clear()
            self._assigned(frozenset(listed_in(whole["named"])), line)
        else:
            return why is not None
        return True

    def _give_up(self, named: frozenset[tuple[str, int]], line: str) -> None:
        if math.isnan(self.began_s) and named:
            self.began_s = _clock_s(line)
        self.given_up |= named
        self.owned -= named

    def _assigned(self, added: frozenset[tuple[str, int]], line: str) -> None:
        """Note that a rebalance is over; the second round of one continues it."""
        first = LogTrigger.UNTOLD if self.is_known or self.given_up else LogTrigger.STARTED
        stopped_s = (_clock_s(line) - self.began_s) % _DAY_S
        self.owned |= added
        over = LoggedRebalance(
            consumer=self.consumer,
            at=_time(line),
            trigger=self.trigger or first,
            strategy=self.strategy,
            generation=self.generation,
            given_up=frozenset(self.given_up),
            added=added,
            owned=len(self.owned),
            stopped_s=stopped_s,
        )
        is_caused_anew = self.trigger not in {None, LogTrigger.OTHERS}
        if self.is_second_round and not is_caused_anew and self.done[-1].rounds < _MOST_ROUNDS:
            over = _continued(self.done.pop(), over)
        self.done.append(over)
        self.trigger, self.began_s = None, math.nan
        self.is_known, self.given_up = True, set()
        self.is_second_round, self.is_first_round = self.is_first_round, False

    def end(self, line: str) -> None:
        """Note that the log ends after the consumer has left."""
        if self.trigger in {LogTrigger.CLOSED, LogTrigger.POLL_TIMEOUT, LogTrigger.FENCED}:
            self._assigned(frozenset(), line)


class Logs(NamedTuple):
    """What consumers logged of rebalances."""

    of: Mapping[str, tuple[LoggedRebalance, ...]]
    """By the group's name, those of one consumer after another's."""
    lines: frozenset[int]
    """The lines that tell of them."""

    def of_group(self, name: str, *, is_only: bool) -> tuple[LoggedRebalance, ...]:
        """Return those of a group; a nameless one that is the only one has the only ones."""
        if not name and is_only and len(self.of) == 1:
            return next(iter(self.of.values()))
        return self.of.get(name, ())


def logs_in(page: Page) -> Logs:
    """Return what the logs of Java consumers in a text tell of rebalances."""
    members: dict[tuple[str, str], _Member] = {}
    last: dict[tuple[str, str], str] = {}
    lines: set[int] = set()
    for number, said in _said_in(page):
        key, line = (said["group"], said["consumer"]), page.logged[number]
        if members.setdefault(key, _Member(said["consumer"])).read(said["said"], line):
            lines.update(page.of_logged(number))
        last[key] = line
    found: dict[str, tuple[LoggedRebalance, ...]] = {}
    for (group, client), member in members.items():
        member.end(last[group, client])
        found[group] = (*found.get(group, ()), *member.done)
    told = {group: each for group, each in found.items() if each}
    return Logs(told, frozenset(lines))


def _said_in(page: Page) -> Iterator[tuple[int, re.Match[str]]]:
    for number, line in enumerate(page.logged):
        if SIGN in line and (said := _CONSUMER.search(line)) is not None:
            yield number, said


def _continued(first: LoggedRebalance, second: LoggedRebalance) -> LoggedRebalance:
    """Return one rebalance of two rounds."""
    stopped = [each for each in (first.stopped_s, second.stopped_s) if not math.isnan(each)]
    return replace(
        second,
        trigger=first.trigger,
        given_up=first.given_up | second.given_up,
        added=first.added | second.added,
        rounds=first.rounds + second.rounds,
        stopped_s=max(stopped, default=math.nan),
    )


def _clock_s(line: str) -> float:
    written = written_in(line[:_LONGEST])
    return math.nan if written is None else written.clock_s


def _time(line: str) -> str:
    written = written_in(line[:_LONGEST])
    return "" if written is None else written.text.removesuffix(" INFO")
