"""Broken input for every entry point of ``sources``, by seed.

Real input is cut, repeated, shuffled, and combined with other input and with parser traps.
"""

import io
import json
import math
import random
import re
import zipfile
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.histories import history
from tests.sources.csv.test_reader import CONSUMERS, FLAT, LAGS, SUBSCRIPTIONS, TOPICS
from tests.sources.pastes.test_fuzzed import PASTES
from tests.sources.test_scaled_object import FULL, WHOLE
from tests.sources.test_text import GROUP

GROUPS: Final = [
    json.dumps(group).encode()
    for group in (
        GROUP,
        {
            "id": "g",
            "strategy": "sticky",
            "topics": {"t": {"partitions": 3, "racks": [["a"], ["b", None], []]}, "u": 2},
            "members": [
                {"id": "a", "instance_id": "i", "rack": "a", "topics": ["t"], "generation": 4,
                 "owned": [["t", 0], ["t", 2]]},
                {"id": "b", "topics": ["t", "u"], "owned": [["t", 0]], "throughput": 1.5},
            ],
            "lags": {"t": [5, None, -3]},
            "offsets": {"u": {"begin": [0, 1], "end": [10, 9], "committed": [None, 7]}},
            "auto_offset_reset": "earliest",
            "rates": {"t": [0.5, None, 2e3]},
        },
    )
]  # fmt: skip
_EVERY_COLUMN: Final = (
    b"group,topic,partition,begin,committed,end,lag,consumer,static_id,rack,replica racks\n"
    b"g,t,0,0,5,9,4,c0,i0,a,a|b\ng,t,2,1,-,9,,c1,,b,\ng,u,0,,,,3,c1,,b,b/c\ng,,,,,,,c2,i2,c,\n"
)
TABLES: Final = (FLAT, TOPICS, CONSUMERS, SUBSCRIPTIONS, LAGS, _EVERY_COLUMN)
EVENTS: Final = [
    b'[{"join":{"ids":["c1"]}},{"rejoin":{}},{"leave":{"ids":["c0"]}}]',
    b'[{"add_partitions":{"topic":"t","partitions":4}},{"subscribe":{"id":"c0","topics":["t"]}}]',
]
HISTORIES: Final = [history(seed).text.encode() for seed in range(200)]
SCALED_OBJECTS: Final = [
    FULL.encode(),
    WHOLE.encode(),
    b"spec: {triggers: [{type: kafka, metadata: {}}]}",
]
PATTERNS: Final = [rb"orders-.*", rb"(a|b)+c?", rb"\p{L}{2,5}[^x]\d", rb"(?i)^t\.[a-z]*$"]
PROPERTIES: Final = [
    (
        b"bootstrap.servers=b1:9092,b2:9093\nsecurity.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n"
        b"sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required "
        b'username="u" password="p\\u0041\\\\x";\n'
    ),
    (
        b"ssl.truststore.certificates=-----BEGIN CERTIFICATE----- MIIB -----END CERTIFICATE-----\n"
        b"ssl.truststore.type=PEM\nauto.offset.reset=earliest\n! c\nkey\\ with\\:x : v \\\n  more\n"
    ),
]
_STRANGE: Final = (
    *(b"", b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"PK\x03\x04"),
    *(b"\r", b"\n", b"\t", b" ", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b"(", b")", b",", b";"),
    *(b":", b"|", b"/", b"-", b"`", b"<", b"&", b"%", b"*", b"\x1b[31m", "\u2028é\u200b".encode()),
    *(b"NaN", b"Infinity", b"1e999", b"-1", b"0.5", b"null", b"true", b'"\\ud800"', b"9" * 30),
    *(b"9223372036854775807", b"-9223372036854775807", b"9223372036854775808"),
    *(b"999999", b"2147483648", b'"members":', b'"topics":{', b'"earliest"', b"topic,partition\n"),
)  # fmt: skip
_FIGURE: Final = re.compile(rb"\d+(?:\.\d+)?")
_EXTREMES: Final = (
    *(b"0", b"-1", b"1e400", b"5e-324", b"true", b"null", b'""', b"[]", b"9" * 400, b"1999"),
    *(b"9223372036854775806", b"-9223372036854775808", b"4611686018427387904", b"2147483647"),
)
_DEEP: Final = (b"[" * 100_000, b'{"a":' * 100_000, b"(" * 100_000, b'"' * 140_000)
_MOST_BYTES: Final = 5_000
Door: TypeAlias = Callable[[random.Random], bytes]


def mutated(random_: random.Random, shapes: Sequence[bytes]) -> bytes:
    """Return one of the inputs, changed in one to five places."""
    data = random_.choice(shapes)
    for _ in range(random_.randint(1, 5)):
        start = random_.randint(0, len(data))
        end = min(len(data), start + random_.choice((0, 1, 3, 30)))
        kind = random_.randrange(10)
        if kind < 3:
            data = data[:start] + random_.choice(_STRANGE) + data[end:]
        elif kind == 3:
            data = data[:start] + data[end:]
        elif kind == 4:
            data = data[:end] + data[start:]
        elif kind == 5:
            other = random_.choice(shapes)
            place = random_.randint(0, len(other))
            data = data[:start] + other[place : place + random_.randint(0, 200)] + data[end:]
        elif kind == 6:
            lines = data.split(b"\n")
            random_.shuffle(lines)
            data = b"\n".join(lines)
        elif kind == 7:
            line = random_.choice(data.split(b"\n"))
            data += (b"\n" + line) * random_.choice((1, 2, 30))
        elif kind == 8:
            extreme = random_.choice(_EXTREMES)
            data = data[:start] + _FIGURE.sub(extreme, data[start:], random_.choice((1, 2, 0)))
        else:
            data = data[:start] + bytes(random_.randrange(256) for _ in range(3)) + data[end:]
    if random_.random() < 0.0005:
        return data[: len(data) // 2] + random_.choice(_DEEP) + data[len(data) // 2 :]
    return data[:_MOST_BYTES]


def _texts(random_: random.Random) -> bytes:
    return mutated(random_, _PASTES)


def _groups(random_: random.Random) -> bytes:
    return mutated(random_, GROUPS)


def _json_lines(random_: random.Random) -> bytes:
    return b"\n".join(mutated(random_, GROUPS) for _ in range(random_.randint(1, 4)))


def _tables(random_: random.Random) -> bytes:
    return mutated(random_, TABLES)


def _zips(random_: random.Random) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(
        buffer, "w", random_.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    ) as z:
        for number in range(random_.randint(0, 3)):
            z.writestr(f"{number}.csv", mutated(random_, TABLES))
    whole = buffer.getvalue()
    return whole if random_.random() < 0.3 else mutated(random_, [whole])


def _links(random_: random.Random) -> bytes:
    packed = urlsafe_b64encode(zlib.compress(_groups(random_))).rstrip(b"=")
    link = b"z1." + packed
    return link if random_.random() < 0.7 else mutated(random_, [link])


def _histories(random_: random.Random) -> bytes:
    return mutated(random_, HISTORIES)


def _events(random_: random.Random) -> bytes:
    return mutated(random_, EVENTS)


def _patterns(random_: random.Random) -> bytes:
    return mutated(random_, PATTERNS)


def _scaled_objects(random_: random.Random) -> bytes:
    return mutated(random_, SCALED_OBJECTS)


def _properties(random_: random.Random) -> bytes:
    return mutated(random_, PROPERTIES)


_NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
_COLLECTED: Final = {
    "cluster": "c",
    "group_id": "g",
    "snapshot_at": _NOON,
    "topic": "t",
    "partition": 0,
    "log_start_offset": 0,
    "log_end_offset": 9,
    "committed_offset": 5,
    "member_id": "m",
    "client_id": "x",
    "host": "h",
    "group_instance_id": None,
}
_CELLS: Final = (
    *(None, 0, 1, -1, 2**31, 2**63 - 1, -(2**63), 2**64 - 1, 1.5, math.nan, math.inf, True),
    *("x", "", "\x00", b"\xff", [1], ["a"], {"a": 1}, date(2020, 1, 1), timedelta(1), time(1)),
    *(_NOON.replace(tzinfo=None), _NOON.replace(year=1), _NOON.replace(year=9999)),
)


def _collected(random_: random.Random) -> bytes:
    count, columns = random_.randint(0, 4), {}
    for name, usual in _COLLECTED.items():
        cells: list[Any] = [usual] * count
        if name == "partition":
            cells = list(range(count))
        elif name == "snapshot_at":
            cells = [_NOON + timedelta(minutes=row // 2) for row in range(count)]
        if random_.random() < 0.1:
            cells = [random_.choice((None, random_.choice(_CELLS)))] * count
        if random_.random() < 0.98:
            columns[name] = pa.array(cells, pa.uint64() if 2**64 - 1 in cells else None)
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    data = bytearray(file.getvalue())
    for _ in range(random_.choice((0, 0, 1, 4))):
        data[random_.randrange(len(data))] = random_.randrange(256)
    return bytes(data)


_DESCRIBED: Final = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\n"
_SNAPSHOTS: Final = (
    "".join(
        f"{when}\n{_DESCRIBED}g t 0 {at} 9 {9 - at} c\n"
        for at, when in enumerate(
            ("2024-01-01 10:00:00", "10:00:01", "Mon Jan  1 10:00:02 UTC 2024", "1704103203.5")
        )
    ),
    (
        '{"data": {"result": [{"metric": {"__name__": "kafka_consumergroup_lag", "group": "g", '
        '"topic": "t", "partition": "0"}, "values": [[1704103200, "5"], [1704103201.5, "6"]]}]}}'
    ),
    (
        'kafka_consumergroup_lag{group="g",topic="t",partition="0"} 1 1704103200000\n'
        'kafka_consumergroup_lag{group="g",topic="t",partition="0"} 2 1704103201000\n'
    ),
)
_PASTES: Final = [
    *(paste.encode() for paste in _SNAPSHOTS),
    *(paste.encode() for paste in PASTES),
    *GROUPS,
    *TABLES,
]
DOORS: Final[Mapping[str, Door]] = {
    "text": _texts,
    "group JSON": _groups,
    "JSON Lines": _json_lines,
    "CSV": _tables,
    "zip files": _zips,
    "collector's files": _collected,
    "links": _links,
    "histories": _histories,
    "events": _events,
    "patterns": _patterns,
    "ScaledObjects": _scaled_objects,
    "client properties": _properties,
}
