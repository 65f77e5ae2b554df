"""What a Java program prints of ``describeStreamsGroups``, in Kafka 4.4's own form."""

from assignors.certainty import Known
from assignors.kinds import GroupKind
from assignors.streams.broker_group import StreamsGroup
from assignors.streams.tasks import Task
from evaluation.kinds.forecast import OtherMembers
from evaluation.kinds.view import view_of
from sources.text import read_text

P, Q = "246a00ae-5ad2-43c9-9895-0b1e0a4640d3", "96911d8b-c098-43cf-9e61-9a921179ab1c"


def _member(name: str, process: str, offsets: str, active: str, standby: str = "") -> str:
    held = f"(activeTasks={active}, standbyTasks={standby}, warmupTasks=)"
    return (
        f"(memberId={name}, memberEpoch=11, instanceId=null, rackId=null, "
        f"clientId=shop-{process}-StreamThread-1-consumer, clientHost=/127.0.0.1, topologyEpoch=0, "
        f"processId={process}, userEndpoint=null, clientTags={{}}, taskOffsets={offsets}, "
        f"taskEndOffsets=1_0=9223372036854775807, assignment={held}, targetAssignment={held}, "
        "isClassic=false)"
    )


INFO = "TopicInfo(partitions=2, replicationFactor=1, topicConfigs=cleanup.policy=compact)"
TEXT = (
    "(groupId=shop, groupEpoch=11, targetAssignmentEpoch=11, topologyEpoch=0, subtopologies=["
    "(subtopologyId='0', sourceTopics=[orders], repartitionSinkTopics=[], "
    "stateChangelogTopics={}, repartitionSourceTopics={}), "
    "(subtopologyId='1', sourceTopics=[], repartitionSinkTopics=[], "
    f"stateChangelogTopics={{shop-counts-changelog={INFO}}}, "
    f"repartitionSourceTopics={{shop-counts-repartition={INFO}}})], members=["
    + ", ".join(
        [
            _member("one-mem", P, "1_1=649", "0_0,1_0", "1_1"),
            _member("two-mem", Q, "1_0=699", "0_1,1_1", "1_0"),
        ]
    )
    + "], groupState=Stable)"
)


def test_threads_have_tasks_copies_and_the_offsets_of_state_on_their_disks() -> None:
    (reading,) = read_text(TEXT)

    group = reading.as_kind
    assert (reading.name, reading.kind) == ("shop", GroupKind.STREAMS_BROKER)
    assert isinstance(group, StreamsGroup)
    assert [(s.id, s.is_stateful, s.sources) for s in group.subtopologies] == [
        (0, False, ("orders",)),
        (1, True, ("shop-counts-repartition",)),
    ]
    first, second = group.members
    assert (first.id, first.process) == ("one-mem", P)
    assert first.active == {Task(0, 0), Task(1, 0)}
    assert first.standby == {Task(1, 1)}
    assert first.offsets == {Task(1, 1): 649}
    assert second.offsets == {Task(1, 0): 699}


def test_with_those_offsets_the_loss_of_an_instance_is_predicted_exactly() -> None:
    (reading,) = read_text(TEXT)
    assert reading.as_kind is not None

    view = view_of(
        reading.as_kind, reading.group, what_if=OtherMembers(without=(Q,)), release=(4, 4)
    )

    certainty = view.found.certainty
    assert (certainty.known, certainty.condition) == (
        Known.CONDITIONAL,
        "if streams.num.standby.replicas is 1",
    )
    assert view.found.then["one-mem"]["active"] == ["0_0", "0_1", "1_0", "1_1"]


def test_a_member_printed_alone_names_its_application_in_its_client_id() -> None:
    text = "member " + _member("one-mem", P, "", "0_0,0_1")

    (reading,) = read_text(text)

    assert reading.name == "shop"
    assert isinstance(reading.as_kind, StreamsGroup)
    assert reading.as_kind.members[0].offsets == {}
