"""Logs of consumers: a leader's assignment, or what each consumer received and gave up."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

import textwrap
from collections.abc import Callable

import pytest

from assignors.registry import STRATEGIES
from evaluation.rebalance.member_log import LogTrigger
from sources.errors import SourceError
from sources.pastes.wrapped_logs import whole_lines
from sources.text import read_text
from tests.pasted import lags, owned, the_group
from tests.said import lacks

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
    assert reading.ignored == ()


def cut_at(width: int, line: str) -> list[str]:
    """Return a line as a terminal of this width shows it."""
    return [line[at : at + width].rstrip() for at in range(0, len(line), width)]


def folded_at(width: int, line: str) -> list[str]:
    """Return a line as a mail program breaks it."""
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)


@pytest.mark.parametrize("width", [72, 80, 100, 132])
@pytest.mark.parametrize("wrap", [cut_at, folded_at])
def test_a_log_that_was_wrapped_is_read_as_the_whole_one(
    wrap: Callable[[int, str], list[str]], width: int
) -> None:
    lines = [
        *LOG.splitlines(),
        assigned("van-3", "consumer poll timeout has expired. " + "so " * 50),
    ]
    whole = the_group("\n".join(lines))
    wrapped = the_group("\n".join(part for line in lines for part in wrap(width, line)))

    assert (owned(wrapped), wrapped.strategy) == (owned(whole), "roundrobin")
    told = [[(each.at, each.added) for each in seen.logged] for seen in (wrapped, whole)]
    assert told[0] == told[1]
    assert wrapped.logged[-1].trigger is LogTrigger.POLL_TIMEOUT
    assert wrapped.ignored == ()


def test_a_line_without_a_time_below_a_line_of_a_log_is_no_part_of_it() -> None:
    reading = the_group(f"{LOG}Processing started\n")

    assert [each.added for each in reading.logged if each.added] == [
        each.added for each in the_group(LOG).logged if each.added
    ]
    assert [text for _, text in reading.ignored] == ["Processing started"]


def test_a_stack_trace_in_a_log_is_no_part_of_the_line_above() -> None:
    lines = LOG.splitlines()
    trace = [
        "Caused by: java.io.IOException: lost",
        "    at org.apache.kafka.Client.run(Client.java:1)",
    ]

    assert whole_lines([lines[0], *trace, *lines[1:]]) == [lines[0], *trace, *lines[1:]]


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
    on_names, on_line = reading.notes[-2:]
    assert lacks(on_names, "client.id", "the same client.id", "one") == []
    assert lacks(on_line, "4", "clientId=van-1, instanceId=v") == []
    assert [number for number, _ in reading.ignored] == [4]


def test_consumers_of_several_groups_stay_apart() -> None:
    other = CHANGES.replace("groupId=depot", "groupId=yard").replace("crates-eu-0", "crates-eu-2")

    depot, yard = read_text(f"{CHANGES}\n{other}")

    assert owned(depot)["van-3"] == ["crates-eu-0"]
    assert owned(yard)["van-3"] == ["crates-eu-2"]


LIBRDKAFKA = "%7|1700000000.1|ASSIGN|van#consumer-1| [thrd:main]: "
OTHERS = {
    "Java, whole assignments": "\n".join(
        [
            assigned("van-1", "Notifying assignor about the new Assignment(partitions=[tins-9])"),
            assigned(
                "van-1",
                "Notifying assignor about the new Assignment(partitions=[crates-eu-0, crates-eu-1])",
            ),
            assigned("van-2", "Notifying assignor about the new Assignment(partitions=[tins-0])"),
        ]
    ),
    "Java, as JSON": "\n".join(
        f'{{"level":"INFO","message":"{assigned(client, f"Adding newly assigned partitions: {what}")[:-8]}","logger":"a"}}'
        for client, what in (("van-1", "crates-eu-0, crates-eu-1"), ("van-2", "tins-0"))
    ),
    "Spring": "\n".join(
        f"2026-03-01 10:00:00.1  INFO 1 --- [{thread:>15}] o.s.k.l.KafkaMessageListenerContainer    : depot: partitions {what}"
        for thread, what in (
            ("van-1", "assigned: [crates-eu-0, crates-eu-1, tins-0]"),
            ("van-1", "revoked: [tins-0]"),
            ("van-2", "assigned: [tins-0]"),
        )
    ),
    "Python": """\
INFO:aiokafka.consumer.group_coordinator:Joined group 'depot' (generation 5) with member_id van-1
INFO:aiokafka.consumer.group_coordinator:Setting newly assigned partitions {TopicPartition(topic='tins', partition=0)} for group depot
INFO:aiokafka.consumer.group_coordinator:Joined group 'depot' (generation 6) with member_id van-1
INFO:aiokafka.consumer.group_coordinator:Setting newly assigned partitions {TopicPartition(topic='crates-eu', partition=0), TopicPartition(topic='crates-eu', partition=1)} for group depot
INFO:aiokafka.consumer.group_coordinator:Joined group 'depot' (generation 6) with member_id van-2
INFO:aiokafka.consumer.group_coordinator:Setting newly assigned partitions frozenset({TopicPartition(topic='tins', partition=0)}) for group depot
""",
    "kcat": """\
% Waiting for group rebalance
% Group depot rebalanced (memberid van-1): assigned: crates-eu [0], crates-eu [1], tins [0]
% Reached end of topic tins [0] at offset 2
% Group depot rebalanced (memberid van-1): revoked: tins [0]
% Group depot rebalanced (memberid van-2): assigned: tins [0]
""",
    "librdkafka": "\n".join(
        LIBRDKAFKA + line
        for line in (
            'Group "depot" running range assignor for 2 member(s) and 1 eligible subscribed topic(s):',
            ' Member "van-0" (me) with 0 owned partition(s) and 1 subscription(s):',
            "  crates-eu [-1]",
            'Group "depot" range assignment for 1 member(s) finished in 0.1ms:',
            ' Member "van-0" (me) assigned 1 partition(s):',
            "  tins [0]",
            'Group "depot" range assignment for 2 member(s) finished in 0.1ms:',
            ' Member "van-1" (me) assigned 2 partition(s):',
            "  crates-eu [0]",
            "  crates-eu [1]",
            ' Member "van-2" assigned 1 partition(s):',
            "  tins [0]",
        )
    ),
    "franz-go, its leader": """\
[INFO] joined, balancing group; group: depot, member_id: van-1, instance_id: <nil>, generation: 5, balance_protocol: range, leader: true
[INFO] balanced; plan: van-0{tins[0]}
[INFO] balanced; plan: van-1{crates-eu[0 1]}, van-2{tins[0]}
[INFO] synced; group: depot, assigned: crates-eu[0 1]
""",
    "franz-go, each member": """\
time=2026-03-01T10:00:00 level=INFO msg=joined group=depot member_id=van-1 instance_id=<nil> generation=5 leader=false
time=2026-03-01T10:00:00 level=INFO msg="new group session begun" group=depot added="crates-eu[0 1], tins[0]" lost=""
time=2026-03-01T10:00:01 level=INFO msg="new group session begun" group=depot added="" lost="tins[0]"
time=2026-03-01T10:00:00 level=INFO msg=joined group=depot member_id=van-2 instance_id=<nil> generation=6 leader=false
time=2026-03-01T10:00:00 level=INFO msg=synced group=depot assigned="tins[0]"
""",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_every_client_has_its_own_words_for_what_it_owns(text: str) -> None:
    reading = the_group(text)

    assert (reading.group.id, reading.rows) == ("depot", 2)
    assert owned(reading) == {"van-1": ["crates-eu-0", "crates-eu-1"], "van-2": ["tins-0"]}


def test_logs_of_several_containers_are_separated_by_their_line_prefixes() -> None:
    first, second = (
        [f"worker-{n}  | {line}" for line in OTHERS["Python"].splitlines()[part]]
        for n, part in ((1, slice(2, 4)), (2, slice(4, 6)))
    )

    reading = the_group(
        "\n".join(line for pair in zip(first, second, strict=True) for line in pair)
    )

    assert owned(reading) == {"van-1": ["crates-eu-0", "crates-eu-1"], "van-2": ["tins-0"]}


@pytest.mark.parametrize("client", ["librdkafka", "franz-go, its leader"])
def test_the_strategy_is_the_one_that_the_log_names(client: str) -> None:
    assert the_group(OTHERS[client]).strategy == "range"


def test_a_log_that_names_no_consumer_is_refused() -> None:
    nameless = "\n".join(line for line in OTHERS["Python"].splitlines() if "member_id" not in line)

    with pytest.raises(SourceError, match=r"line 1: .* does not name the consumers"):
        read_text(nameless)


@pytest.mark.parametrize("width", [90, 100, 105, 110, 115])
def test_a_list_of_partitions_that_a_terminal_wrapped_is_read_whole(width: int) -> None:
    line = f"[Consumer clientId=van-1, groupId=depot] Adding newly assigned partitions: {', '.join(f'crates-eu-{k}' for k in range(6))}"

    reading = the_group(f"{line[:width]}\n{line[width:]}\n")

    assert owned(reading) == {"van-1": [f"crates-eu-{k}" for k in range(6)]}


@pytest.mark.parametrize("text", ["func f(a interface{}) map{} ", "a=Assignment(partitions=[t-0])"])
def test_braces_that_are_no_plan_name_no_member(text: str) -> None:
    with pytest.raises(SourceError, match=r"no consumer group found|not who owns"):
        read_text(text)


@pytest.mark.parametrize(
    ("text", "partitions"),
    [
        ("info: Assigned partitions: [crates [[0]], crates [[1]]]", "crates-0 and crates-1"),
        ("Partitions incrementally assigned: [crates [[0]]]\nPartitions incrementally assigned: [crates [[2]]]", "crates-0 and crates-2"),
        ("partitions assigned: [crates-0, crates-1]\npartitions revoked: [crates-0]", "crates-1"),
    ],
)  # fmt: skip
def test_a_log_that_names_nobody_is_added_up(text: str, partitions: str) -> None:
    with pytest.raises(SourceError, match=f"it ends with {partitions}; others may be"):
        read_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "% Group depot rebalanced (memberid rdkafka-0a1b2c3d-1111-4a4a-8b8b-0123456789ab): assigned: crates [0], crates [1]",
        assigned("van-1", "Adding newly assigned partitions: crates-0, crates-1"),
        '{"groupId":"depot","memberId":"van-1","memberAssignment":{"crates":[0,1]}}',
    ],
)
def test_nothing_is_predicted_for_the_one_consumer_whose_log_it_is(text: str) -> None:
    reading = the_group(text)

    assert reading.assumed.members_unknown
    assert not reading.assumed.is_predictable(reading.group)


def test_the_assigner_that_kafkajs_reports_is_its_own() -> None:
    joined = '{"groupId":"depot","memberId":"van-%s","memberAssignment":{"crates":[%s]},"groupProtocol":"RoundRobinAssigner"}'

    reading = the_group("\n".join(joined % (n, n) for n in range(2)))

    assert (reading.strategy, reading.assumed.client) == ("kafkajs-roundrobin", "kafkajs")
    assert reading.assumed.members_unknown


def test_a_leaders_plan_that_begins_above_the_text_leaves_the_rest_unknown() -> None:
    text = "\n".join(
        LIBRDKAFKA + line
        for line in (
            "  crates [1]",
            ' Member "van-2" assigned 2 partition(s):',
            "  crates [3]",
            "  crates [4]",
            'Group "depot": "range" assignor run for 3 member(s)',
        )
    )

    reading = the_group(text)

    assert (reading.group.id, reading.strategy) == ("depot", "range")
    assert owned(reading) == {"van-2": ["crates-3", "crates-4"]}
    assert reading.group.is_owner_unknown.tolist() == [True, True, True, False, False]
    assert reading.assumed.members_unknown


def test_threads_of_a_spring_log_without_a_group_are_consumers() -> None:
    line = "2019-01-01 10:00:00.1  INFO 1 --- [{}] o.s.k.l.KafkaMessageListenerContainer    : partitions assigned: [{}]"

    reading = the_group(
        "\n".join(line.format(*each) for each in (("van-0", "crates-0, tins-0"), ("van-1", "")))
    )

    assert owned(reading) == {"van-0": ["crates-0", "tins-0"], "van-1": []}


def test_kafka_python_1_names_its_member_group_and_strategy() -> None:
    reading = the_group(
        "INFO Joined group 'depot' (generation 1) with member_id kafka-python-1.0.0-0a1b\n"
        "INFO Elected group leader -- performing partition assignments using roundrobin\n"
        "INFO Updated partition assignment: [TopicPartition(topic=u'crates', partition=0)]\n"
    )

    assert (reading.group.id, reading.strategy) == ("depot", "roundrobin")
    assert owned(reading) == {"kafka-python-1.0.0-0a1b": ["crates-0"]}


def test_what_was_given_up_last_is_of_nobody_who_is_known() -> None:
    reading = the_group(
        assigned("van-1", "Revoke previously assigned partitions crates-0, crates-1")
    )

    assert owned(reading) == {"van-1": []}
    assert reading.group.is_owner_unknown.all()
    assert reading.group.partition_count == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("%7|1.2|ASSIGN|van#consumer-1| [thrd:main]:   crates [0]\n%7|1.2|ASSIGN|van#consumer-1| [thrd:main]:   crates [1]", "it ends with crates-0 and crates-1;"),
        ("%7|1.2|ASSIGNMENT|van-7#consumer-1| [thrd:main]: List with 2 partition(s):\n%7|1.2|ASSIGNMENT|van-7#consumer-1| [thrd:main]:  crates [0] offset INVALID\n%7|1.2|ASSIGNMENT|van-7#consumer-1| [thrd:main]:  crates [1] offset INVALID", "it ends with crates-0 and crates-1;"),
        ("[ -C-1] Binder : partitions assigned:[crates-0]\n[ -C-1] Binder : partitions assigned:[crates-1]", "its lines assign crates-0 and crates-1, to one consumer or to several;"),
        ('"10:00","i-1","Setting offset for partition crates-7 to the committed offset FetchPosition{offset=9}"', "it ends with crates-7;"),
        ("INFO van Subscribed to crates:5 offset 0 leader kafka:9092", "it ends with crates-5;"),
        ("INFO Revoking previously assigned partitions set([TopicPartition(topic=u'crates', partition=2)])", "it ends with none;"),
    ],
)  # fmt: skip
def test_each_line_of_a_log_without_names_counts(text: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        read_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "Now van-1 returns to the group and claims an assignment of [0, 3] from generation 1.",
        "INFO Skipping heartbeat: no auto-assignment or waiting on rebalance, base-__call__-633",
        "The rebalance assigned partitions [0, 1] to one of them.",
        "The rebalance assigned partitions [0] to one of them.",
        "%7|1.2|ASSIGN|van-7#consumer-1| Group van: assigning 1 partition(s) in join state init",
    ],
)
def test_sentences_name_no_partition(text: str) -> None:
    with pytest.raises(SourceError, match="not who owns which"):
        read_text(text)


def test_debug_lines_of_kafkajs_beside_its_assignment_are_no_group() -> None:
    reading = the_group(
        '{"level":"DEBUG","data":{"groupProtocol":"RoundRobinAssigner","members":[{"memberId":"van-1"}]}}\n'
        '{"level":"DEBUG","groupId":"depot","memberId":"van-1","topics":["crates"]}\n'
        '{"level":"INFO","groupId":"depot","memberId":"van-1","memberAssignment":{"crates":[0,1]}}\n'
    )

    assert owned(reading) == {"van-1": ["crates-0", "crates-1"]}
