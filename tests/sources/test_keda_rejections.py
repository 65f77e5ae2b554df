"""What KEDA 2 rejects, parts of a ScaledObject, and comments that its values contradict."""

import pytest
import yaml

from assignors.model import Group
from sources.errors import SourceError
from sources.keda_comments import false_comments
from sources.keda_rejections import rejections
from sources.scaled_object import read_scaled_object

GROUP = Group.of(["orders"], [6], ["a"], id="g", owners=[0] * 6)
GOOD = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: g}
spec:
  scaleTargetRef: {name: g}
  triggers:
  - type: kafka
    metadata:
      bootstrapServers: broker:9092
      consumerGroup: g
      topic: orders
      lagThreshold: "50"
"""


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("keda.sh/v1alpha1", "keda.k8s.io/v1alpha1", "apiVersion keda.k8s.io/v1alpha1 is KEDA 1's"),
        ("keda.sh/v1alpha1", "v1", "apiVersion v1 is not KEDA 2's"),
        ("{name: g}\n  triggers", "{}\n  triggers", "scaleTargetRef.name is missing"),
        (
            "{name: g}\n  triggers",
            "{deploymentName: g}\n  triggers",
            "scaleTargetRef.deploymentName is KEDA 1's",
        ),
        ("bootstrapServers", "brokerList", "triggers[0].metadata.brokerList is KEDA 1's"),
        ("bootstrapServers", "tls: enable #", "triggers[0].metadata.bootstrapServers is missing"),
        ("consumerGroup", "version", "triggers[0].metadata.consumerGroup is missing"),
        ('"50"', "50", "put lagThreshold in quotes"),
        ("topic: orders", "topic: orders\n      tls: on", "put tls in quotes"),
        ("topic: orders", 'topic: orders\n      tls: "yes"', "tls must be enable or disable"),
        ("topic: orders", "topic: orders\n      sasl: scram", "sasl must be none"),
        ("topic: orders", "topic: orders\n      sasl: plaintext", "without an authenticationRef"),
        ("- type: kafka", "- type: kafka\n    metricType: Utilization", "must be AverageValue or"),
    ],
)
def test_each_reason_is_told_and_the_object_is_read(before: str, after: str, reason: str) -> None:
    text = GOOD.replace(before, after)

    found = read_scaled_object(text, GROUP)

    assert found.scaled is not None
    assert len(found.rejected) == 1
    assert reason in found.rejected[0]


def test_nothing_is_rejected_of_a_good_object_or_of_a_part_that_leaves_things_out() -> None:
    part = "spec: {triggers: [{type: kafka, metadata: {topic: orders}}]}"

    assert read_scaled_object(GOOD, GROUP).rejected == ()
    assert read_scaled_object(part, GROUP).rejected == ()


def test_names_of_triggers_are_distinct() -> None:
    trigger = "{type: cpu, name: x, metadata: {}}"
    text = GOOD + f"  - {trigger}\n  - {trigger}\n"

    assert "name x" in read_scaled_object(text, GROUP).rejected[0]


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('"50"', '"0"', "lagThreshold must be more than 0"),
        ("triggers", "minReplicaCount: 200\n  triggers", "found 200 and 100"),
        ("triggers", "idleReplicaCount: 3\n  triggers", "idleReplicaCount must be less"),
        (
            "topic: orders",
            "<<: {topic: orders, limitToPartitionsWithLag: 'true', allowIdleConsumers: 'true'}",
            "exclude each other",
        ),
    ],
)
def test_what_leaves_nothing_to_replay_is_an_error_that_names_keda(
    before: str, after: str, reason: str
) -> None:
    with pytest.raises(SourceError, match=f"KEDA rejects this ScaledObject: .*{reason}"):
        read_scaled_object(GOOD.replace(before, after), GROUP)


def test_a_part_of_an_object_is_read_as_the_whole_with_kedas_defaults() -> None:
    whole = yaml.safe_load(GOOD)
    spec = whole["spec"]
    (trigger,) = spec["triggers"]

    parts = [{"spec": spec}, spec, {"triggers": [trigger]}, [trigger], trigger, trigger["metadata"]]

    expected = read_scaled_object(GOOD, GROUP)
    for part in parts:
        found = read_scaled_object(yaml.safe_dump(part), GROUP)
        assert (found.trigger, found.scaling) == (expected.trigger, expected.scaling)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# scale at 100\nlagThreshold: '1000'", "Line 2: lagThreshold is 1,000, not 100 as"),
        ("maxReplicaCount: 30 # one for each of 24 partitions", "is 30, not 24 as"),
        ("cooldownPeriod: 300 # 10 minutes", "is 300, not 10 minutes as"),
        ("lagThreshold: '5' # for each partition", "is not for each partition"),
        ("lagThreshold: '10000' # 10k", ""),
        ("cooldownPeriod: 300 # 5 min", ""),
        ("pollingInterval: 15 # default is 30", ""),
        ("maxReplicaCount: 24 # 24 partitions, 2 topics", ""),
        ("# 5\n\nmaxReplicaCount: 24", ""),
        ("topic: orders # 5", ""),
        ("lagThreshold: '5' # see KEDA-1234, version 2.11", ""),
    ],
)
def test_a_comment_that_its_value_contradicts_is_told(text: str, said: str) -> None:
    found = list(false_comments(text))

    assert len(found) == bool(said)
    assert all(said in each for each in found)


def test_nothing_is_rejected_of_what_is_no_mapping() -> None:
    documents: list[object] = [None, 3, [], {"spec": 3}]
    for document in (*documents, {"spec": {"triggers": [3, {"type": "kafka"}]}}):
        assert list(rejections(document)) == []
