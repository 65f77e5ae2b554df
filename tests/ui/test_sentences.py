"""What pages say of a rebalance, a plan and a group of a fleet, in one file: ``sentences.txt``.

Other tests hold figures and names. Whoever changes a sentence changes that file with it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import pandas as pd
import pytest

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from evaluation.answering.fleet_words import fleet_words
from evaluation.answering.of_fleet import GroupStanding
from evaluation.rebalance.events import AddPartitions, ComeBack, Event, Join, Leave, Rejoin
from schemas.tables import AS_IT_WAS
from tests.evaluation.answering.test_of_fleet import GROUPS, verdict
from tests.evaluation.rebalance.test_post_mortem import looked_at
from tests.said import sections
from tests.ui.capacity.test_words import findings, hot_first
from tests.ui.fleet.test_words import row
from tests.ui.test_rebalance_words import SIX, remarks_of, said_of
from ui.capacity import words as capacity
from ui.capacity.findings import Findings
from ui.fleet import switch
from ui.fleet import words as fleet
from ui.rebalance import post_mortem

_FILE: Final = Path(__file__).with_name("sentences.txt")
_NAN: Final = float("nan")


def _rebalance(group: Group, event: Event | None, *names: str) -> str:
    events = [event] if event else []
    return "\n".join([said_of(group, events, *names), *remarks_of(group, events, *names)])


def _plan(found: Findings) -> str:
    said = {
        "finding": capacity.finding(found),
        "evidence": capacity.evidence(found),
        "action": capacity.action(found),
        "today": capacity.today(found),
    }
    return "\n".join(f"{name}: {text}" for name, text in said.items() if text)


def _fleet(strategy: str = "range", **changed: float | str) -> str:
    each = row(strategy)
    each = pd.Series({**each, **changed})
    said = (fleet.group_words(each), fleet.why(each), fleet.setting_words(each))
    return "\n".join(text for text in said if text)


def _fleet_verdict(*groups: GroupStanding, **more: bool | int) -> str:
    said = fleet_words(verdict(*groups, **more))
    return "\n".join(filter(None, (said.headline, said.evidence, said.action)))


def _switch(moved: list[int]) -> str:
    columns = {"moved": moved, "paused": moved, "partitions": 6, "max_load": 5}
    return switch.said(pd.DataFrame({**columns, "max_load_as_it_was": 9}), "Sticky")


def _instead(owners: list[int]) -> str:
    return post_mortem.said(looked_at(owners), STRATEGIES["range"]).instead


_TWO: Final = Group.of(["t"], [6], ["a", "b"], owners=[0, 1, 0, 1, 0, 1])
_RACKS: Final = group_of(
    {"t": Topic(6, racks=[["a"]] * 6)},
    [Member(f"C{k}", ["t"], rack=rack) for k, rack in enumerate("abc", 1)],
)
_HOT: Final = Group.of(["t"], [2], ["c0"], lags=[10, 0], rates=[900.0, 50.0])
_NO_HEADROOM: Final = Group.of(
    ["t"], [4], [f"c{m}" for m in range(4)], lags=[0] * 4, rates=[550.0, 50.0, 30.0, 20.0]
)
_NOT_EVEN: Final = Group.of(
    ["t"], [6], ["a", "b"], owners=[0, 1, 0, 1, 0, 1], lags=[90, 80, 1, 1, 1, 1]
)
_STICKIES: Final = ("range", "sticky", "cooperative-sticky")

_CASES: Final[Mapping[str, Callable[[], str]]] = {
    "rebalance: the start": partial(_rebalance, SIX, None, "range"),
    "rebalance: the start without owners": partial(
        _rebalance, Group.fresh({"t": 4}, ["c0", "c1"]), None, "range"
    ),
    "rebalance: the first consumer": partial(
        _rebalance, Group.fresh({"t": 4}, []), Join(("c0",)), "range", "sticky"
    ),
    "rebalance: a static restart": partial(
        _rebalance, SIX, ComeBack("m-a", "m-z", "a"), "range", "sticky"
    ),
    "rebalance: a dynamic restart": partial(
        _rebalance, SIX, ComeBack("m-a", "m-z"), "range", "sticky"
    ),
    "rebalance: a consumer joins": partial(_rebalance, _TWO, Join(("c",)), *_STICKIES),
    "rebalance: a consumer leaves": partial(_rebalance, SIX, Leave(("m-c",)), *_STICKIES),
    "rebalance: nothing changes": partial(
        _rebalance, Group.of(["t"], [3], ["A", "B"], owners=[0, 1, 1]), Rejoin(), "range", "sticky"
    ),
    "rebalance: all alike": partial(_rebalance, SIX, AddPartitions("t", 3), "roundrobin", "fair"),
    "rebalance: counts left uneven": partial(
        _rebalance, _NOT_EVEN, Join(("c",)), "load-sticky", "sticky"
    ),
    "rebalance: across racks": partial(
        _rebalance, _RACKS, Join(("C0",), racks=("a",)), "range", "sticky"
    ),
    "plan: more consumers": lambda: _plan(findings(hot_first(), throughput=13)),
    "plan: a jar needs fewer": lambda: _plan(
        findings(hot_first(), throughput=13, names=("range", "roundrobin", "lag-capped"))
    ),
    "plan: no number tried": lambda: _plan(findings(hot_first(), throughput=11, most=2)),
    "plan: one partition waits too long": lambda: _plan(findings(hot_first(), throughput=8)),
    "plan: one partition gets too much": lambda: _plan(
        findings(_HOT, throughput=600, headroom=0.2)
    ),
    "plan: one partition has no headroom": lambda: _plan(
        findings(_NO_HEADROOM, throughput=600, headroom=0.2, names=("range", "lag-capped"))
    ),
    "plan: nothing waits": lambda: _plan(
        findings(Group.fresh({"t": 2}, ["c0"], {"t": [0, 0]}), throughput=1)
    ),
    "plan: nobody reads today": lambda: _plan(findings(hot_first(0), throughput=13)),
    "fleet: a gain": partial(_fleet, reason="gains", largest_partition_share=0.6),
    "fleet: a gain over twelve snapshots": partial(_fleet, snapshots=12),
    "fleet: a gain that is unknown": partial(
        _fleet, gain_load=_NAN, gain_share=_NAN, setting_gain_share=_NAN
    ),
    **{
        f"fleet: {reason}": partial(_fleet, AS_IT_WAS, reason=reason, idle_members=0.0)
        for reason in ("no-lag", "at-best", "none-better", "no-members")
    },
    "fleet: unknown-lag": partial(_fleet, AS_IT_WAS, reason="unknown-lag", max_load_as_it_was=_NAN),
    "fleet: groups of every urgency": partial(_fleet_verdict, *GROUPS, open_count=1),
    "fleet: one group is broken": partial(_fleet_verdict, GROUPS[-1]),
    "fleet: all keep up": partial(_fleet_verdict, *GROUPS[:5]),
    "fleet: a setting helps": partial(_fleet_verdict, *GROUPS[:4], open_count=1),
    "fleet: nothing to change": partial(_fleet_verdict, GROUPS[3]),
    "fleet: nobody has looked yet": partial(_fleet_verdict, *GROUPS, is_checked=False),
    "fleet: a switch that one group does not notice": partial(_switch, [0, 2]),
    "fleet: a switch that two groups do not notice": partial(_switch, [0, 0, 2]),
    "post-mortem: one partition has another owner": partial(_instead, [1, 1, 1, 2, 2, 1]),
    "post-mortem: two partitions have another owner": partial(_instead, [2, 1, 1, 2, 1, 2]),
}


@pytest.mark.parametrize("name", _CASES)
def test_each_page_says_what_the_file_has(name: str) -> None:
    assert _CASES[name]() == sections(_FILE)[name]


def test_the_file_has_every_case_and_nothing_else() -> None:
    assert list(sections(_FILE)) == list(_CASES)
