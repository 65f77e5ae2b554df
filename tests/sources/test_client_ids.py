"""The client id of each member, from every source that tells it, through files, edits and links."""

import json
from pathlib import Path

import pytest

from assignors.layout import Layout
from assignors.model import Group
from charts.loads import names_below
from evaluation.consumer_labels import labels_of
from live.model import GroupDescription, GroupReading, LiveMember, LiveTopic
from sources import group_json, links
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.snapshot import snapshot
from sources.live_groups import reading_of
from sources.text import read_text
from tests.fleets import TIMES, small, write
from ui.draft import checks
from ui.draft.tables import draft_of

IDS = ("2kzJX4zKR8uIyDgSLzmQyA", "9PqAbcTtR1mXyDgSLzmQyA", "Zz0AbcTtR1mXyDgSLzmQyA")
CLIENTS = {IDS[0]: "billing", IDS[1]: "billing", IDS[2]: "audit-1"}
DESCRIBE = f"""\
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID            HOST       CLIENT-ID
pay   cards 0         10             15             5   {IDS[0]} /10.0.0.1  billing
pay   cards 1         10             12             2   {IDS[1]} /10.0.0.2  billing
pay   cards 2         10             10             0   {IDS[2]} /10.0.0.3  audit-1
"""
MEMBERS = f"""\
GROUP CONSUMER-ID            HOST      CLIENT-ID #PARTITIONS ASSIGNMENT
pay   {IDS[0]} /10.0.0.1 billing   1           cards(0)
pay   {IDS[1]} /10.0.0.2 billing   1           cards(1)
pay   {IDS[2]} /10.0.0.3 audit-1   1           cards(2)
"""
AKHQ = json.dumps(
    {
        "id": "pay",
        "state": "STABLE",
        "members": [
            {
                "clientId": CLIENTS[name],
                "id": name,
                "host": f"/10.0.0.{k + 1}",
                "assignments": [{"topic": "cards", "partition": k}],
            }
            for k, name in enumerate(IDS)
        ],
        "offsets": [
            {"topic": "cards", "partition": k, "offset": 10, "lastOffset": 15, "offsetLag": 5}
            for k in range(3)
        ],
    }
)


def broker_side(**clients: str) -> Group:
    return Group.with_layout(
        Layout.of(["t"], [3], IDS, client_ids=clients), owners=[0, 1, 2], lags=[5, 2, 0]
    )


@pytest.mark.parametrize("text", [DESCRIBE, MEMBERS, AKHQ], ids=["describe", "members", "AKHQ"])
def test_a_paste_brings_client_ids_and_hosts(text: str) -> None:
    (reading,) = read_text(text)

    assert reading.group.layout.client_ids == CLIENTS
    assert {h.strip("/") for h in reading.hosts.values()} == {"10.0.0.1", "10.0.0.2", "10.0.0.3"}


def test_a_live_reading_brings_them() -> None:
    members = (LiveMember(id=IDS[0], client_id="billing", host="10.0.0.1"),)
    described = GroupDescription(
        id="pay", state="Stable", protocol="consumer", assignor="uniform", members=members
    )

    cards = LiveTopic("cards", ((),), begin=(0,), end=(9,))
    reading = reading_of(GroupReading(description=described, topics={"cards": cards}, committed={}))

    assert reading.group.layout.client_ids == {IDS[0]: "billing"}
    assert reading.hosts == {IDS[0]: "10.0.0.1"}


@pytest.mark.slow
def test_the_fleets_tables_bring_them(tmp_path: Path) -> None:
    tables = small()
    members = [
        {**row, "client_id": f"app-{row['member_id']}", "host": "10.0.0.9"}
        for row in tables["group_member"]
    ]
    fleet = open_fleet(edition_of(write(tmp_path / "f", {**tables, "group_member": members})))

    reading = snapshot(fleet, "prod", "orders", TIMES[1])

    names = reading.group.members
    assert reading.group.layout.client_ids == {name: f"app-{name}" for name in names}
    assert reading.hosts == dict.fromkeys(names, "10.0.0.9")


def test_a_file_a_link_and_an_edit_keep_them() -> None:
    group = broker_side(**CLIENTS)

    linked = links.decode(links.encode(group) or "")
    kept = [
        group_json.decode(group_json.encode(group)).group,
        linked.group,
        checks.read(draft_of(group)).group,
    ]

    assert [each and each.layout.client_ids for each in kept] == [CLIENTS] * 3


def test_members_of_a_broker_side_group_go_by_their_client_ids_wherever_they_are_named() -> None:
    group = broker_side(**CLIENTS)

    assert labels_of(group) == ("billing 2kzJ", "billing 9PqA", "audit-1")
    assert names_below(group) == ["audit-1", "billing 2kzJ", "billing 9PqA"]


def test_without_a_client_id_the_random_id_stays() -> None:
    assert labels_of(broker_side()) == IDS
    assert labels_of(broker_side(**{IDS[0]: "billing"})) == ("billing", *IDS[1:])


def test_ids_that_hold_the_client_id_are_named_as_before() -> None:
    uuid = "0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07"
    group = Group.with_layout(
        Layout.of(["t"], [1], [f"app-1-{uuid}"], client_ids={f"app-1-{uuid}": "app-1"})
    )

    assert labels_of(group) == ("app-1",)
