"""Every reader takes time proportional to its text, even if that is hostile."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Final

import pytest

from live.client_config import read_config
from live.errors import LiveError
from sources.csv.reader import read_tables
from sources.errors import SourceError
from sources.pastes.documents import documents_in
from sources.text import read_text
from tests.growth import MOST_SLOWDOWN, slowdown

pytestmark = pytest.mark.proof

OFFSETS: Final = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
)
MEMBERS: Final = "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\n"
STATE: Final = "GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\n"
RPK: Final = (
    "GROUP g{k}\nCOORDINATOR 0\nSTATE Stable\nBALANCER range\nMEMBERS 1\n"
    "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG MEMBER-ID CLIENT-ID HOST\nt 0 1 2 1 m c h\n"
)
TABLE: Final = OFFSETS + "g t 0 1 2 1 c /h c\n"
GROUP_LINE: Final = '{"id":"g","topics":{"t":1},"members":[]}\n'


def _repeated(part: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Return a function that builds a text of some length, with ``{k}`` numbered in each part."""

    def text(size: int) -> str:
        parts = size // len(part)
        middle = (
            part * parts
            if "{k}" not in part
            else "".join(part.replace("{k}", str(k)) for k in range(parts))
        )
        return f"{before}{middle}{after}"

    return text


TEXTS: Final = {
    "a fence and blanks": _repeated(" ", TABLE + "```", "a b"),
    "back quotes and blanks": _repeated("`", TABLE, " a b"),
    "braces": _repeated("{", TABLE, "code a b"),
    "blanks after a brace": _repeated(" ", TABLE + "{code", "a}b"),
    "comments": _repeated(" ", TABLE + "Consumer group '", "' has no"),
    "lines of blanks": _repeated("       \n", after="a"),
    "escape sequences": _repeated("\x1b["),
    "titles of terminals": _repeated("\x1b]0;"),
    "tags": _repeated("<pre "),
    "blanks in rows of HTML": lambda size: f"<tr>{' ' * (size // 20)}</tr>\n" * 20,
    "entities": _repeated("&#1"),
    "quote marks": _repeated("> "),
    "one long header": _repeated("LAG X ", "GROUP TOPIC PARTITION LAG "),
    "one long row": _repeated("w ", OFFSETS + "g t 0 1 2 1 "),
    "one long row of numbers": _repeated("1 ", OFFSETS),
    "one long word": _repeated("1", OFFSETS),
    "headers": _repeated(OFFSETS),
    "headers that are not read": _repeated("GROUP TOPIC PARTITION NEW-OFFSET\n"),
    "rows": _repeated("g t {k} 1 2 1 c{k} /h c\n", OFFSETS),
    "rows of idle consumers": _repeated("g - - - - - c{k} /h c\n", TABLE),
    "rows cut in two": _repeated("g t {k} 1 2 1\nc{k} /h c\n", OFFSETS),
    "rows that are none": _repeated("g t x 1 2 1 c{k} /h c\n", TABLE),
    "groups": _repeated("g{k} t 0 1 2 1 c{k} /h c\n", OFFSETS),
    "assignments": _repeated("t(0,1), ", MEMBERS + "g c /h c 1 "),
    "open brackets": _repeated("t(", MEMBERS + "g c /h c 1 "),
    "words before a list": _repeated("t", MEMBERS + "g c /h c 1 "),
    "colons": _repeated(":1", STATE + "g a"),
    "coordinators": _repeated("a:1 ", STATE + "g "),
    "names of groups": _repeated("Consumer group '"),
    "groups without members": _repeated("Consumer group 'g{k}' has no active members.\n" + OFFSETS),
    "commands": _repeated("--group "),
    "rpk": _repeated(RPK),
    "rpk's words": _repeated("GROUP "),
    "topics": _repeated("Topic: "),
    "topics of kcat": _repeated('topic "'),
    "topics listed": _repeated("Topic: t{k} PartitionCount: 1\n", TABLE),
    "labels and blanks": _repeated(" ", "m_lag{"),
    "blanks after labels": _repeated(" ", 'm_lag{group="g",topic="t"}', "x"),
    "a label that is open": _repeated('\\"', 'm_lag{group="'),
    "metrics": _repeated(
        'kafka_consumergroup_lag{consumergroup="g",topic="t",partition="{k}"} 1\n'
    ),
    "names of metrics": _repeated("m_", after="{"),
    "an open text": _repeated('\\"', '{"a": "'),
    "open texts": _repeated('{"a": "\n'),
    "quotes": _repeated('"', '{"a": '),
    "objects that are open": _repeated('{"a":'),
    "lists that are open": _repeated("[\n"),
    "broken lists": _repeated('["]\n'),
    "broken objects": _repeated('{"a": 1 "b"]}\n'),
    "keys": _repeated('"topic" : '),
    "numbers": _repeated("1", '{"a": '),
    "Burrow": _repeated(
        '{"topic": "t", "partition": {k}, "current_lag": 1},\n',
        '{"group": "g", "partitions": [',
        "]}",
    ),
    "JSON Lines": _repeated(GROUP_LINE),
    "JSON Lines, some broken": _repeated(GROUP_LINE + '{"topics":{"t":-1},"members":[]}\n'),
    "hard blanks between digits": _repeated("1\xa0"),
    "links": _repeated("[a](", TABLE),
    "bars before lines": _repeated(
        "a{k} | [Consumer clientId=c, groupId=g] Adding newly assigned partitions: t-1\n"
    ),
    "columns of Grafana": _repeated(
        "1,2\n", '"Time","{group=""g"", topic=""t"", partition=""0""}"\n'
    ),
    "many columns of Grafana": _repeated('"{topic=""t{k}""}",', '"{group=""g""}",'),
    "a cell a line": _repeated("t\n0\n1\n1\n", "Topic\nPartition\nLag\nOffset\n"),
    "keys and values": _repeated("topic=t partition={k} group=g lag=1\n"),
    "keys on one line": _repeated("topic=t partition=1 "),
    "quoted values": _repeated('="', "topic=t partition=1 group"),
    "a table in JSON": _repeated("g t {k} 1 2 1 c /h c\\n", '{"a": "' + OFFSETS.strip() + "\\n"),
    "partitions in brackets": _repeated("t [{k}] 1 1\n", "Topic [Partition] Committed Lag\n"),
    "numbers before lines": _repeated("1:a b\n"),
    "borders": _repeated("|", TABLE),
    "wrapped headers": _repeated("GROUP TOPIC PARTITION LAG CONS\nUMER-ID\n"),
    "assignments of one consumer": _repeated(
        "[Consumer clientId=c, groupId=g] Adding newly assigned partitions: t-{k}\n"
    ),
    "second rounds of one consumer": _repeated(
        "[Consumer clientId=c, groupId=g] Request joining group due to: need to revoke partitions "
        "[t-{k}]\n[Consumer clientId=c, groupId=g] Adding newly assigned partitions: t-{k}\n"
    ),
    "changes in a log": _repeated(
        "[Consumer clientId=c{k}, groupId=g] Setting newly assigned partitions [t-{k}, t-0]\n"
    ),
    "words in a log": _repeated(
        "a-", "[Consumer clientId=c, groupId=g] Adding newly assigned partitions: "
    ),
    "members in a plan": _repeated("c{k}{t[{k}]}, ", "[INFO] balanced; plan: "),
    "brackets in a plan": _repeated("t[0]{", "[INFO] balanced; plan: "),
    "assignments of librdkafka": _repeated(
        '|: Member "c{k}" assigned 1 partition(s):\n]: t [{k}]\n'.replace("|", "]")
    ),
    "members of kaf": _repeated(
        "    c{k}:\n        Host: /h\n          t [{k}]\n",
        "Group ID: g\nState: Stable\nMembers:\n",
    ),
    "what Java prints": _repeated("(a="),
    "words that Java prints": _repeated("x y,", "(a=", "'"),
    "what Python prints": _repeated("'x", "{'a':"),
    "YAML": _repeated("a: 1\n"),
    "YAML in brackets": _repeated("[", "a: "),
    "CSV": _repeated("t,{k},1,c{k}\n", "topic,partition,lag,consumer\n"),
    "CSV of many topics": _repeated("t{k},0,1,c\n", "topic,partition,lag,consumer\n"),
    "CSV with tabs": _repeated("t\t\t{k}\t1\tc{k}\n", "topic\tpartition\tlag\tconsumer\n"),
    "CSV with an open quote": _repeated("t,0\n", 'topic,partition\nt,"'),
    "CSV of many columns": _repeated("x,", "topic,partition,"),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_is_read_in_proportion_to_its_size(text: Callable[[int], str]) -> None:
    def read(size: int) -> None:
        with suppress(SourceError):
            read_text(text(size))

    assert slowdown(read) < MOST_SLOWDOWN


CONFIGS: Final = {
    "an option without a value": _repeated("a", "sasl.jaas.config=x.PlainLoginModule required "),
    "options": _repeated("a=b ", "sasl.jaas.config=x.PlainLoginModule required "),
    "values that are open": _repeated(' a="\\"', "sasl.jaas.config=x.PlainLoginModule required "),
    "both quotes open": _repeated(
        " a=\"\\\" b='\\'", "sasl.jaas.config=x.PlainLoginModule required "
    ),
    "heads of certificates": _repeated("-----BEGIN A-----\n"),
    "heads without an end": _repeated("-----BEGIN "),
    "certificates": _repeated("-----BEGIN A-----\nx\n-----END A-----\n", "ssl.ca.pem="),
    "continued lines": _repeated("a\\\n", "k="),
    "backslashes": _repeated("\\", "k="),
    "properties": _repeated("no.such.property.{k}=1\n"),
    "names": _repeated("a.", "", "a=1"),
}


@pytest.mark.parametrize("text", CONFIGS.values(), ids=CONFIGS)
def test_properties_are_read_in_proportion_to_their_size(text: Callable[[int], str]) -> None:
    def read(size: int) -> None:
        with suppress(LiveError):
            read_config(text(size), "localhost:9092")

    assert slowdown(read) < MOST_SLOWDOWN


def test_a_mistyped_topic_among_many_is_found_in_proportion_to_their_number() -> None:
    def read(size: int) -> None:
        topics = {f"topic-with-a-long-name-{k}": 1 for k in range(size // 30)}
        with suppress(SourceError):
            read_text(json.dumps({"topics": topics, "members": [], "lags": {"topic-x": [1]}}))

    assert slowdown(read) < MOST_SLOWDOWN


@pytest.mark.parametrize("row", ["c{k},*\n", "c,*\n", "c,t{k}\n", "c{k},t{k}\n"])
def test_subscriptions_are_read_in_proportion_to_their_number(row: str) -> None:
    def read(size: int) -> None:
        files = {
            "t.csv": _repeated("t{k},1\n", "topic,partitions\n")(10_000).encode(),
            "s.csv": _repeated(row, "consumer,topic\n")(size // 4).encode(),
        }
        with suppress(SourceError):
            read_tables(files)

    assert slowdown(read) < MOST_SLOWDOWN


def test_a_text_of_broken_json_is_read_strictly_a_few_times_only() -> None:
    lists = '\n[}}\n",["],' * 2_000  # each makes a strict reader read thousands of characters
    attempts = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal attempts
        attempts += event == "call" and frame.f_code.co_name == "raw_decode"

    sys.setprofile(count)
    try:
        documents_in(lists)
    finally:
        sys.setprofile(None)

    assert 0 < attempts < 100
