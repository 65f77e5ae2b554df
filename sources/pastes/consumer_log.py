"""Logs of consumers: assignments by a group's leader, or changes at each consumer."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from live.model import NamedPartition
from sources.cells import assigned_in, is_cut_out, listed_in
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed, Row, StateRow

_SOURCE: Final = re.compile(r"\s{0,9}(?:\[pod/\S{1,300}\]|\S{1,300}\s{0,99}\|\s)")
"""The container of a line in interleaved logs."""


_CONTINUED: Final = re.compile(r"[\w.-]{0,249}(?:(?:, ?| )[\w.-]{1,249}-\d{1,6})*[,\]]?")
"""The rest of a list of partitions that a terminal wrapped."""


class _Log(NamedTuple):
    """The patterns of one client's log.

    ``about`` names the ``group``, its ``strategy``, the ``consumer`` and its static ``instance``
    for the following lines, until a match without a name. In ``change``, ``new`` begins the
    assignment of a whole group, ``all`` has the partitions that a consumer owns from then on,
    ``add`` and ``drop`` the assigned and revoked ones.
    """

    client: str
    """"" if it is any client's."""
    about: re.Pattern[str]
    change: re.Pattern[str]
    note: str = ""
    listed: Callable[[str], tuple[NamedPartition, ...]] = listed_in
    """What reads the partitions in a change."""
    is_clear: bool = False
    """Whether ``all`` tells an assignment even where a text begins below ``new``."""


_LAST_NAMED: Final = "What is assigned is taken to be the member's that was named last above."
# No two neighbours in these patterns match the same character, which prevents backtracking.
_JAVA: Final = re.compile(
    r"\[Consumer (?:instanceId=(?P<instance>[^,\]]{1,255}), )?"
    r"clientId=(?P<consumer>[^,\]]{1,255}), groupId=(?P<group>[^\]]{1,255})\]"
    r"|\bprotocol='(?P<strategy>[\w-]{1,99})'|\[Consumer "
)
_FRANZ_GO: Final = re.compile(
    r"\bgroup(?:=|: )\"?(?P<group>[^\s\",;]{1,255})"
    r"|\bmember_id(?:=|: )\"?(?P<consumer>[^\s\",;]{1,999})"
    r"|\bbalance_protocol(?:=|: )(?P<strategy>[\w-]{1,99})"
)
_FRANZ_GO_PLACES: Final = r"(?:[\w.-]{1,249}\[[\d ]*\](?:, )?)*"
_PRINTED: Final = (
    r"(?:map)?(?:\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]|\{(?:[^{}\n]|\{[^{}\n]*\})*\}"
    r"|\((?:[^()\n]|\([^()\n]*\))*\)|`[\w.-]{1,249}`: ?[\d, ]{1,9999})"
)
"""A list, a set or a map, as programs print it."""
_BEFORE_PRINTED: Final = r"[^\[{(`\n]{0,60}?"
LOGS: Final = (
    _Log(
        "Java",
        _JAVA,
        re.compile(
            r"(?P<new>Finished assignment for group at generation \d{1,10}:)"
            # Behind a brace, a comma, or where a line was wrapped: behind every blank, a long line
            # would be read a thousand times over.
            r"|(?:(?<=[{,\n])|(?<=, )|^)(?P<consumer>[^\s{}\[\]=,][^{}\[\]=,\n]{0,999})"
            r"=Assignment\(partitions=\[(?P<all>[^\]\[{}=\n]*)\]"
        ),
    ),
    _Log(
        "Java",
        _JAVA,
        re.compile(
            r"Adding newly assigned partitions:? ?\[?(?P<add>[^\](\"]*)"
            r"|(?:Revoke|Revoking|Lost) previously assigned partitions:? ?\[?(?P<drop>[^\](\"]*)"
            r"|(?:Setting newly assigned partitions:? ?|\bAssigned partitions:\s{1,99}"
            r"|the new Assignment\(partitions=)\[?(?P<all>[^\](\"]*)"
        ),
        "The log names consumers by client.id; those with the same client.id are read as one.",
    ),
    _Log(
        "Spring",
        re.compile(
            r"\[ *(?P<consumer>[^\[\]\s]+)\] [\w.]{1,99}Container +: (?:(?P<group>[^\s:]+):)?"
        ),
        re.compile(
            r"partitions (?:assigned: \[(?P<add>[^\]]*)|(?:revoked|lost): \[(?P<drop>[^\]]*))"
        ),
        "The log names consumers by thread; threads of the same name are read as one consumer.",
    ),
    _Log(
        "Python",
        re.compile(
            r"\bgroup (?!leader --)'?(?P<group>[^\s',()]{1,255})"
            r"|\bmember_id[ =:]{1,2}'?(?P<consumer>[^\s',)]{1,255})"
            r"|\b(?:protocol(?:='|: )|partition assignments using )(?P<strategy>[\w-]{1,99})"
        ),
        re.compile(
            r"Setting newly assigned partitions (?P<all>.*) for group"
            r"|Updated partition assignment: (?P<all_now>.*)"
            r"|Revoking previously assigned partitions (?P<drop>.*) for group"
        ),
        _LAST_NAMED,
    ),
    _Log(
        "kcat",
        re.compile(r"% Group (?P<group>\S+) rebalanced \(memberid (?P<consumer>[^\s)]+)\)"),
        re.compile(r"assigned: (?P<add>.*)|revoked: (?P<drop>.*)"),
    ),
    _Log(
        "librdkafka",
        re.compile(
            r'\]: *Group "(?P<group>[^"]{1,255})"'
            r'(?::? "?(?P<strategy>[\w-]{1,99})"? (?:assignment for|assignor run for))?'
            r'|\]: *Member "(?P<consumer>[^"]{1,999})"'
        ),
        re.compile(
            r"(?P<new>assignment for \d+ member\(s\) finished)|assigned (?P<all>\d+ partition)"
            r"|\]: +(?P<add>[\w.-]{1,249} \[\d{1,6}\])$"
        ),
        is_clear=True,
    ),
    _Log(
        "franz-go",
        _FRANZ_GO,
        re.compile(
            r"(?P<new>\bbalanced\b)"
            rf"|(?<![^\s\",])(?P<consumer>[^\s\"{{}},=]{{1,999}})\{{(?P<all>{_FRANZ_GO_PLACES})\}}"
        ),
    ),
    _Log(
        "franz-go",
        _FRANZ_GO,
        re.compile(
            rf"\bassigned(?:=|: )\"?(?P<all>{_FRANZ_GO_PLACES})"
            rf"|\badded(?:=|: )\"?(?P<add>{_FRANZ_GO_PLACES})"
            rf"|\blost(?:=|: )\"?(?P<drop>{_FRANZ_GO_PLACES})"
        ),
        _LAST_NAMED,
    ),
    _Log(
        "kafka-go",
        re.compile(
            r"\busing '(?P<strategy>[\w-]{1,99})' balancer to assign group, "
            r"(?P<group>[^\s\"]{1,255})"
        ),
        re.compile(
            r"(?P<new>\bbalancer to assign group, )|\b(?:found member: |assigned member/topic/"
            r"partitions )(?P<consumer>[^\n]{1,999}?)/(?P<add>[\w.-]{1,249}/\[[\d ]*\]|\[\]byte)"
        ),
        listed=assigned_in,
    ),
    _Log(
        "kafka-go",
        re.compile(
            r"(?i:\bjoined group) \"?(?P<group>[^\s\"]{1,255})\"? as member "
            r"(?P<consumer>[^\n]{1,999}?) in generation \d"
        ),
        re.compile(r"subscribed to topics and partitions: map\[(?P<all>[^\n]{0,9999})\]"),
        _LAST_NAMED,
        assigned_in,
    ),
    _Log(
        "",
        re.compile(
            r"(?i)\bgroup(?:[ _-]?id)?(?:[\"']?[:=] ?[\"'`]?| [\"'`])"
            r"(?P<group>[^\s\"'`,;:)}\]]{1,255})"
            r"|\bmember(?:[ _-]?id)?(?:[\"']?[:=] ?[\"'`]?|[\"']? [\"'`]?"
            r"(?=\S{0,255}[0-9a-f]{4}-[0-9a-f]{12}\b))(?P<consumer>[^\s\"'`,;:)}\]]{1,999})"
        ),
        re.compile(
            rf"(?i)\b(?:revok|unassign|releas|los[et]|remov)\w*{_BEFORE_PRINTED}(?P<drop>{_PRINTED})"
            rf"|\b(?:newly|incremental|add)\w*{_BEFORE_PRINTED}(?P<add>{_PRINTED})"
            rf"|\b(?:claim|assign)(?:ed|ment)?s?\b{_BEFORE_PRINTED}(?P<all>{_PRINTED})"
        ),
        _LAST_NAMED,
        assigned_in,
    ),
)
"""In the order of attempts: a leader's assignment is more informative than any follower."""


class _Group:
    """The owners in one group; of two owners of a partition the later counts."""

    def __init__(self) -> None:
        self._rows: Final[dict[str, MemberRow]] = {}
        self._owned: Final[dict[str, dict[NamedPartition, None]]] = {}
        self._owners: Final[dict[NamedPartition, str]] = {}
        self._given_up: Final[dict[NamedPartition, int]] = {}

    def change(self, row: MemberRow, kind: str, named: Sequence[NamedPartition]) -> None:
        """Apply an assignment, a revocation, or the full set of a consumer."""
        self._rows.setdefault(row.member, row)
        if kind == "drop":
            self._given_up.update(dict.fromkeys(named, row.line))
        own = self._owned.setdefault(row.member, {})
        for partition in list(own) if kind == "all" else named:
            if kind == "add" or partition in own:
                self._owned[self._owners.pop(partition, row.member)].pop(partition, None)
        if kind == "all":
            self.change(row, "add", named)
        elif kind == "add":
            own |= dict.fromkeys(named)
            self._owners.update(dict.fromkeys(named, row.member))

    def given_up(self, group: GroupKey) -> Iterator[Row]:
        """Yield the partitions that somebody gave up and nobody is known to have got since."""
        for (topic, partition), line in self._given_up.items():
            if (topic, partition) not in self._owners:
                yield Row(line, group, topic, partition, says_nobody=False)

    def rows(self) -> Iterator[MemberRow]:
        """Yield every member with its partitions."""
        for member, row in self._rows.items():
            named = tuple(self._owned[member])
            yield row._replace(partitions=len(named), assignment=named)


def read_consumer_log(page: Page) -> Parsed:
    """Return the last assignment of each group in a log, without offsets."""
    text = page.text if page.logged == page.lines else "\n".join(page.logged)
    logs = ((log, _read(page, log)) for log in LOGS if log.change.search(text))
    return next((parsed for log, parsed in logs if _tells(log, parsed)), Parsed(""))


def _tells(log: _Log, parsed: Parsed) -> bool:
    """Return whether a log names members, and of an unknown client also partitions.

    Names that were cut out are nobody's.
    """
    named = (member for member in parsed.members if not is_cut_out(member.member))
    return any(log.client or member.assignment for member in named)


def _read(page: Page, log: _Log) -> Parsed:
    name = f"log of a {log.client} consumer" if log.client else "log of a consumer"
    parsed = Parsed(name, notes=[log.note] if log.note else [])
    is_plan = "new" in log.change.groupindex
    groups: dict[str, _Group] = {}
    whole: set[str] = set()
    strategies: dict[str, str] = {}
    sources: dict[str, dict[str, str]] = {}
    for line, text in enumerate(_lines_in(page)):
        source = _SOURCE.match(text)
        about = sources.setdefault(source[0] if source else "", {})
        for match in log.about.finditer(text):
            named = _named(match)
            about |= named
            if not named:
                about.clear()
            if "strategy" in about:
                strategies[about.get("group", "")] = about.pop("strategy")
        for match in log.change.finditer(text):
            named, kind = about | _named(match), (match.lastgroup or "").partition("_")[0]
            group = named.get("group", "")
            is_begun = group in groups or not is_plan or (log.is_clear and kind == "all")
            if kind == "new":
                groups[group] = _Group()
                whole.add(group)
            elif (member := named.get("consumer")) and is_begun:
                instance = named.get("instance", "")
                row = MemberRow(line, GroupKey(group), member, instance, format=parsed.format)
                groups.setdefault(group, _Group()).change(
                    row, kind, log.listed(match[match.lastgroup or 0])
                )
            else:
                continue
            parsed.used.update(page.of_logged(line))
    parsed.members = _with_names(groups, strategies)
    parsed.rows = [row for name, of in groups.items() for row in of.given_up(GroupKey(name))]
    # Others may log elsewhere, or stand above where the text begins.
    parsed.merged = {row.group for row in parsed.members if row.group.name not in whole}
    parsed.states = [
        StateRow(row.line, row.group, strategies.get(row.group.name, ""))
        for row in {row.group: row for row in reversed(parsed.members)}.values()
    ]
    return parsed


def _with_names(groups: Mapping[str, _Group], strategies: Mapping[str, str]) -> list[MemberRow]:
    """Return the members; those above the first line that names a group are of it, if it is one."""
    members = [row for group in groups.values() for row in group.rows()]
    names = {name for name in (*groups, *strategies) if name}
    if len(names) != 1:
        return members
    only = GroupKey(next(iter(names)))
    return [row if row.group.name else row._replace(group=only) for row in members]


def _lines_in(page: Page) -> Iterator[str]:
    """Yield the lines, joined with the rest of a wrapped list of partitions."""
    for line, after in zip(page.logged, [*page.logged[1:], ""], strict=True):
        is_wrapped = "assigned partitions" in line and _CONTINUED.fullmatch(after)
        yield line + after if is_wrapped else line


def _named(match: re.Match[str]) -> dict[str, str]:
    """Return the names in a match; None for a consumer without an instance id."""
    named = {key: text for key, text in match.groupdict().items() if text}
    return {"instance": ""} | named if "consumer" in named else named
