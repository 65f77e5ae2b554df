"""Names that Markdown, HTML or Plotly would interpret, and groups with such names."""

from collections.abc import Mapping
from typing import Any, Final

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from tests.fleets import Rows, small

NAMES: Final = (
    "[click](http://evil.example)",
    "![x](http://evil.example/x.png)",
    "<img src=http://evil.example/x>",
    "http://evil.example",
    "www.evil.example",
    "a@evil.example",
    ":material/home:",
    ":red[x]",
    "$x^2$",
    "<b>x</b>",
    "nul\x00\ufffe",
    "\u202eodd\x1b[31m\r\n\t",
)
ORDERS: Final = f"{NAMES[0]} `d` :smile: a -> b"
_LAGS: Final = (*range(50, 50 + 100 * (len(NAMES) - 2), 100), 2**63 - 2, 2**63 - 1)


def group() -> Group:
    """Return a group with such names as its id, topics, consumers, static ids and racks.

    Lags differ, one is unknown, two are the largest possible, and the first consumer owns
    everything, so that every sentence appears.
    """
    topics = {
        name: Topic(2, racks=[[name], [NAMES[0]]], lags=[_LAGS[k], 10 if k else None])
        for k, name in enumerate(NAMES)
    }
    owned = [(name, p) for name in NAMES for p in range(2)]
    members = [
        Member(name, NAMES, instance_id=name, rack=name, owned=[] if k else owned, generation=1)
        for k, name in enumerate(NAMES)
    ]
    return group_of(topics, members, id=NAMES[0])


def fleet() -> dict[str, Rows]:
    """Return a small fleet in which every name, every reason and one strategy is such a name."""
    others = {
        "prod": NAMES[1], "test": NAMES[7], "orders": ORDERS, "audit": NAMES[2],
        "mails": NAMES[9], "o": NAMES[3], "c0": NAMES[4], "c1": NAMES[5], "c2": NAMES[6],
        "r1": NAMES[8], "static-2": NAMES[9], "a.jsonl": NAMES[0],
        "partition -1 is negative": NAMES[1], "{}": NAMES[2], "roundrobin": NAMES[9],
    }  # fmt: skip

    def renamed(row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            column: [others.get(each, each) for each in value]
            if isinstance(value, list)
            else others.get(value, value)
            for column, value in row.items()
        }

    return {table: [renamed(row) for row in rows] for table, rows in small().items()}
