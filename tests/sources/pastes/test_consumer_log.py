"""The log of Java consumers: who leads a group logs what it has assigned."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

from assignors.registry import STRATEGIES
from sources.text import read_text
from tests.pasted import lags, owned, the_group

LOG = """\
2026-03-01 10:00:00.659 INFO ConsumerCoordinator - [Consumer clientId=van-2, groupId=depot] Successfully joined group with generation Generation{generationId=3, memberId='van-2-35', protocol='roundrobin'}
2026-03-01 10:00:00.666 INFO ConsumerCoordinator - [Consumer clientId=van-3, groupId=depot] Finished assignment for group at generation 3: {van-3-f9=Assignment(partitions=[crates-eu-2]), van-2-35=Assignment(partitions=[crates-eu-1, tins-0], userDataSize=12), van-1-b9=Assignment(partitions=[crates-eu-0])}
2026-03-01 10:00:00.669 INFO ConsumerCoordinator - [Consumer clientId=van-3, groupId=depot] Adding newly assigned partitions: crates-eu-2
"""


def test_every_member_has_what_the_leader_assigned_to_it() -> None:
    reading = the_group(LOG)

    assert reading.format == "log of a Java consumer"
    assert (reading.group.id, reading.strategy, reading.rows) == ("depot", "roundrobin", 3)
    assert owned(reading) == {
        "van-3-f9": ["crates-eu-2"],
        "van-2-35": ["crates-eu-1", "tins-0"],
        "van-1-b9": ["crates-eu-0"],
    }
    assert lags(reading) == {"crates-eu": [None, None, None], "tins": [None]}


def test_the_last_assignment_of_each_group_counts() -> None:
    later = LOG.replace("van-3-f9=Assignment(partitions=[crates-eu-2]), ", "")
    other = LOG.replace("groupId=depot", "groupId=yard")

    readings = {reading.group.id: reading for reading in read_text(LOG + other + later)}

    assert sorted(readings) == ["depot", "yard"]
    assert len(owned(readings["depot"])) == len(owned(readings["yard"])) - 1


def test_a_line_broken_behind_the_generation_is_read() -> None:
    reading = the_group(LOG.replace("generation 3: {", "generation 3:\n{"))

    assert len(owned(reading)) == len(owned(the_group(LOG)))
    assert [number for number, _ in reading.ignored] == [1, 4]


def test_an_assignment_in_a_log_is_the_one_that_is_predicted() -> None:
    group = the_group(LOG.replace(", tins-0], userDataSize=12", "]")).group

    assert STRATEGIES["roundrobin"].assign(group).tolist() == group.present_owners.tolist()


def assigned(client: str, what: str) -> str:
    return f"2026-03-01 10:00:00.1 INFO [Consumer clientId={client}, groupId=depot] {what} (o.a.k)"


CHANGES = "\n".join(
    [
        assigned("van-1", "Setting newly assigned partitions [crates-eu-0, crates-eu-1, tins-0]"),
        assigned("van-2", "Adding newly assigned partitions: "),
        assigned("van-1", "Revoke previously assigned partitions crates-eu-1, tins-0"),
        assigned("van-1, instanceId=v", "Adding newly assigned partitions: nothing-here"),
        assigned("van-2", "Adding newly assigned partitions: crates-eu-1"),
        assigned("van-3", "Adding newly assigned partitions: crates-eu-0"),
    ]
)


def test_without_a_leader_each_consumer_has_what_it_was_assigned_and_did_not_give_up() -> None:
    reading = the_group(CHANGES)

    assert (reading.group.id, reading.rows) == ("depot", 3)
    assert owned(reading) == {"van-1": [], "van-2": ["crates-eu-1"], "van-3": ["crates-eu-0"]}
    assert reading.notes[-1] == (
        "The log names consumers by client.id; those with the same client.id are read as one."
    )
    assert [number for number, _ in reading.ignored] == [4]


def test_consumers_of_several_groups_stay_apart() -> None:
    other = CHANGES.replace("groupId=depot", "groupId=yard").replace("crates-eu-0", "crates-eu-2")

    depot, yard = read_text(f"{CHANGES}\n{other}")

    assert owned(depot)["van-3"] == ["crates-eu-0"]
    assert owned(yard)["van-3"] == ["crates-eu-2"]
