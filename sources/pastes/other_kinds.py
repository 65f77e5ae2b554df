"""Texts that show a kind of group, or a list of groups, without anybody's partitions."""

import re
from typing import Final

from assignors.kinds import GroupKind, refusal
from evaluation.wording import listed
from sources.pastes.kinds import listed_kinds
from sources.pastes.page import Page

_MOST_NAMED: Final = 4
_ERRORS: Final = re.compile(
    r"GroupId (?P<workers>\S{1,255}) is not a consumer group \(connect\)"
    r"|Group (?P<newer>\S{1,255}) is not a consumer group\."
    r"|\[Worker clientId=[^,\]]{1,255}, groupId=(?P<log>[^,\]]{1,255})\]"
)
_TOPOLOGY: Final = re.compile(r"\s*Sub-topology: \d+|Topolog(?:y|ies):\s*")
_GROUP_CELLS: Final = frozenset(
    {"GROUP", "GROUP ID", "GROUPID", "CONSUMER GROUP", "CONSUMER GROUP ID", "CONSUMER_GROUP"}
    | {"NAME", "ID", "GROUP NAME", "CONSUMER GROUP NAME"}
)
_OTHER_CELLS: Final = frozenset(
    {"STATE", "TYPE", "PROTOCOL", "PROTOCOL TYPE", "PROTOCOL-TYPE", "BROKER", "COORDINATOR"}
    | {"ACTIVE MEMBERS", "MEMBERS", "#MEMBERS", "NUM OF MEMBERS", "CLIENTS", "CONSUMERS"}
    | {"PARTITIONS WITH LAG", "CLUSTER", "CLUSTER ID", "SIMPLE", "TOPICS"}
    | {"IS SIMPLE CONSUMER GROUP"}
    | {"NUM OF TOPICS", "OVERALL LAG", "CONSUMER LAG", "TOTAL LAG", "PARTITION ASSIGNOR", "STATUS"}
)
_CELL: Final = re.compile(r"\s{2,}|\s*[|\t]\s*")
_TOOLS: Final = (
    (re.compile(r"\brhoas\b|\bpartitions with lag\b", re.IGNORECASE),
     "rhoas kafka consumer-group describe --id NAME"),
    (re.compile(r"\brpk\b|^[^\w\n]*+BROKER\s+GROUP\s", re.MULTILINE), "rpk group describe NAME"),
    (re.compile(r"\bkafkactl\b|^CONSUMER_GROUP\b", re.MULTILINE),
     "kafkactl describe consumer-group NAME"),
    (re.compile(r"\bkaf (?:group|consumer)"), "kaf group describe NAME"),
    (re.compile(r"\bconfluent kafka\b"), "confluent kafka consumer group lag list NAME"),
    (re.compile(r"\bkafka-share-groups\b"), "kafka-share-groups --describe --group NAME"),
    (re.compile(r"\bkafka-streams-groups\b"), "kafka-streams-groups --describe --group NAME"),
)  # fmt: skip
"""What in a text tells the tool, and how that describes a group."""
_COMMANDS: Final = {
    GroupKind.SHARE: "kafka-share-groups --describe --group",
    GroupKind.STREAMS_BROKER: "kafka-streams-groups --describe --group",
    GroupKind.CONNECT: "GET /connectors?expand=status&expand=info on a worker of",
}
_DESCRIBES: Final = re.compile(r"\bkafka-(share|streams)-groups(?:\.sh|\.bat)?\s[^\n]*--describe\b")
_NAME: Final = re.compile(r"[A-Za-z_][\w.-]{0,248}")
_LISTS: Final = re.compile(r"\s--?list\b|\sgroups? (?:list|ls)\b|\bget consumer-groups\b")
_FEWEST: Final = 2
"""A single word may be anything."""
_SHORTEST_LIST: Final = len("ID TYPE")
_USUAL: Final = "kafka-consumer-groups --describe --group NAME"


def kind_without_rows(page: Page) -> str:
    """Return which kind or list of groups a text shows, and the next command; "" if none."""
    for number, line in enumerate(page.lines, 1):
        if said := _of_error(line) or _of_topology(line) or _of_list(page, number - 1):
            return f"line {number}: {said}"
    return ""


def said_of_names(page: Page) -> str:
    """Return what to paste instead of a list of names alone; "" for other texts."""
    lines = [line.strip() for line in page.lines if line.strip() and not _is_fence(line)]
    commands = [line for line in lines if _LISTS.search(line)]
    names = [line for line in lines if line not in commands]
    are_names = bool(names) and all(map(_NAME.fullmatch, names))
    if not are_names or len(names) + len(commands) < _FEWEST:
        return ""
    command = next((how for tool, how in _TOOLS if tool.search(page.text)), _USUAL)
    return f"line 1: these are names alone, without partitions; paste what {command} prints"


def said_of_tool(page: Page) -> str:
    """Return which kind of group the tool of a text describes; "" if none that is named."""
    for number, line in enumerate(page.lines, 1):
        if found := _DESCRIBES.search(line):
            kind = GroupKind.SHARE if found[1] == "share" else GroupKind.STREAMS_BROKER
            return (
                f"line {number}: kafka-{found[1]}-groups describes {kind.noun}, to which no "
                "strategy of consumer groups applies, and no table of its releases follows; paste "
                f"what {_COMMANDS[kind]} NAME --members --verbose prints"
            )
    return ""


def _is_fence(line: str) -> bool:
    return line.strip().startswith("```")


def _of_error(line: str) -> str:
    found = _ERRORS.search(line)
    if found is None:
        return ""
    if found["newer"]:
        return (
            f"{found['newer']!r} is a share group or a streams group (KIP-1071), so no strategy "
            "of consumer groups applies; kafka-groups --list tells which, and kafka-share-groups "
            f"or kafka-streams-groups --describe --group {found['newer']} describes it"
        )
    return refusal(GroupKind.CONNECT, found["workers"] or found["log"])


def _of_topology(line: str) -> str:
    if not _TOPOLOGY.fullmatch(line):
        return ""
    return (
        "this is the topology of a Kafka Streams application, which names no member and no lag; "
        "paste what kafka-consumer-groups --describe --group APPLICATION_ID prints"
    )


def _of_list(page: Page, number: int) -> str:
    if not _is_list_header(page.lines[number]):
        return ""
    kinds = list(listed_kinds(page))
    if not any(kind is not GroupKind.CONSUMER for _, _, kind in kinds):
        command = next((how for tool, how in _TOOLS if tool.search(page.text)), _USUAL)
        return f"this is a list of groups, without partitions; paste what {command} prints"
    others = [
        f"{name!r} is {kind.noun} ({_COMMANDS[kind]} {name})"
        for _, name, kind in kinds
        if kind in _COMMANDS
    ]
    said = f"this is a list of groups, without partitions; paste what {_USUAL} prints"
    return f"{said}; {listed(others, _MOST_NAMED)}" if others else said


def _is_list_header(line: str) -> bool:
    """Return whether a line names the columns of a list of groups, and no others."""
    if len(line) < _SHORTEST_LIST:
        return False
    line = line.strip(" |\t+")  # the plus of a diff
    names = {cell.strip().upper() for cell in _CELL.split(line) if cell.strip()}
    if len(names) == 1:  # blanks alone between the names
        names = set(next(iter(names)).split())
    return (
        len(names) > 1
        and names <= _GROUP_CELLS | _OTHER_CELLS
        and bool(names & _GROUP_CELLS)
        and bool(names & _OTHER_CELLS)
    )
