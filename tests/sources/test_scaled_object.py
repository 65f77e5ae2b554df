"""Real ScaledObjects: their settings, and KEDA's defaults for the rest."""

import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from assignors.model import Group
from evaluation.autoscaling.comparison import candidates, manifest, run_candidate
from evaluation.autoscaling.hpa import DOWN, UP, Behavior, Scaling, ScalingPolicy, Select
from evaluation.autoscaling.keda import KedaTrigger
from evaluation.autoscaling.replay import Conditions
from evaluation.autoscaling.workloads import Profile, day
from sources.errors import SourceError, UnexpectedError
from sources.scaled_object import read_scaled_object
from tests.said import lacks

GROUP = Group.of(["orders", "payments"], [6, 4], ["a"], id="g", owners=[0] * 10)
FULL = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
spec:
  cooldownPeriod:  120
  minReplicaCount: 2
  maxReplicaCount: 30   # one a partition
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleDown:
          policies:
            - {type: Percent, value: 100, periodSeconds: 15}
          stabilizationWindowSeconds: 60
        scaleUp:
          stabilizationWindowSeconds: 7
  triggers:
    - type: kafka
      metadata:
        topic: "payments"
        lagThreshold: '50'
        activationLagThreshold: "5"
        allowIdleConsumers: "true"
        partitionLimitation: '0,2-3'
"""
MERGED = "a0: &a0 {x: 1}\n" + "".join(
    f"a{k + 1}: &a{k + 1} {{<<: [{', '.join([f'*a{k}'] * 9)}]}}\n" for k in range(7)
)
"""Nine times as many keys on every line: 5 million, then 43 million, ..."""
SHORT = "spec: {{triggers: [{{type: cpu, metadata: {{}}}}, {{type: kafka, metadata: {{{}}}}}]}}"


def test_what_is_stated_counts_and_the_rest_is_kedas_default() -> None:
    full, short = (
        read_scaled_object(FULL, GROUP),
        read_scaled_object(SHORT.format("lagThreshold: 7"), GROUP),
    )

    assert full.trigger == KedaTrigger(
        lag_threshold=50, activation_lag_threshold=5, allow_idle_consumers=True
    )
    assert full.scaling == Scaling(
        min_replicas=2,
        max_replicas=30,
        cooldown_s=120,
        up=replace(UP, window_s=7.0),
        down=replace(DOWN, window_s=60.0),
    )
    assert short.trigger == KedaTrigger(lag_threshold=7, has_topic=False)
    assert short.scaling == Scaling()


def test_written_data_is_read_back_unchanged() -> None:
    group = Group.of(["orders"], [6], ["a"], id="g", owners=[0] * 6)
    conditions = Conditions(speed=100.0, allowed_s=300.0)

    for candidate in candidates(group, conditions):
        if candidate.trigger is not None:
            found = read_scaled_object(manifest(candidate, group), group)
            assert (found.trigger, found.scaling) == (candidate.trigger, candidate.scaling)


def test_only_the_partitions_it_names_count_and_without_lag_no_pod_stays() -> None:
    rates = np.zeros(10)
    rates[[0, 7]] = 90.0  # orders-0, and payments-1, which the limitation excludes
    workload = day(rates, np.zeros(10), Profile.STEADY, hours=1.0)
    text = FULL.replace("minReplicaCount: 2", "minReplicaCount: 0")
    candidate = pickle.loads(pickle.dumps(read_scaled_object(text, GROUP)))  # noqa: S301 -- our own

    outcome = run_candidate(GROUP, workload, candidate, Conditions(speed=100.0, allowed_s=300.0))

    assert outcome.pods[-1] == 0


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ("lagThreshold: many", r"spec\.triggers\[1\]\.metadata\.lagThreshold: expected an int"),
        ("lagThreshold: 0", "lagThreshold must be more than 0"),
        ("excludePersistentLag: maybe", "excludePersistentLag: expected true or false"),
        (
            "topic: other",
            "is 'other', which the group does not read; choose from orders",
        ),
        ("topic: orders, partitionLimitation: 9", "names no partition"),
        ("topic: orders, partitionLimitation: a-b", "like 1,2,10-12; found a-b"),
    ],
)
def test_metadata_that_cannot_be_is_one_sentence(metadata: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_scaled_object(SHORT.format(metadata), GROUP)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: ScaledObject", "the ScaledObject: .*missing required field"),
        ("spec: {triggers: []}", "no trigger of the type kafka"),
        ("spec: {triggers: [", "is not valid YAML: line 1, column 19: expected"),
        ("[" * 20_000, "is not valid YAML"),
        (MERGED, "line 5, column 5: a mapping has more than 1,000 keys"),
        ("x: !!bool maybe", "a value is not of the type that it states"),
        ("x: !!int ''", "a value is not of the type that it states"),
        ("x: " + "1:" * 400 + "1.5", "a value is not of the type that it states"),
        ('spec: {triggers: [{"\\ud800": 1, type: kafka}]}', r"half a character, such as \\ud800"),
        ("[" * 20_001, "at most 20,000 characters; found 20,001"),
        ("a: " + " " * 19_000 + '"b" c', "is not valid YAML"),
        (FULL.replace("maxReplicaCount: 30", "maxReplicaCount: 1"), "found 2 and 1"),
        (FULL.replace("maxReplicaCount: 30", "maxReplicaCount: 900000"), "<= 100000"),
        (
            FULL.replace("cooldownPeriod:", "cooldownPeriod: &x [*x]\n  other:"),
            "is not valid YAML|an int",
        ),
    ],
)
def test_what_is_no_scaled_object_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        read_scaled_object(text, GROUP)

    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, UnexpectedError)


WHOLE = """
apiVersion: v1
kind: Secret
data: {sasl: plaintext}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: workers
  annotations: {prometheus.io/scrape: "true"}
spec:
  scaleTargetRef: {name: workers}
  pollingInterval: 90
  idleReplicaCount: 0
  minReplicaCount: 2
  fallback: {failureThreshold: 3, replicas: 6}
  initialCooldownPeriod: 120
  advanced:
    restoreToOriginalReplicaCount: true
    scalingModifiers: {formula: "a + b", target: "5"}
    horizontalPodAutoscalerConfig:
      behavior:
        scaleUp:
          selectPolicy: Min
          policies: [{type: Pods, value: 2, periodSeconds: 60}]
          tolerance: 0.05
        scaleDown: {selectPolicy: Disabled}
  triggers:
  - type: kafka
    metricType: Value
    useCachedMetrics: true
    metadata:
      {topic: orders, lagThreshold: "100", offsetResetPolicy: earliest, lagTreshold: "5", tls: on}
    authenticationRef: {name: keda-kafka}
  - type: apache-kafka
    metadata: {topic: payments, consumerGroup: g, bootstrapServers: "b:9092"}
  - type: kafka
    metadata: {topic: orders, consumerGroup: another}
  - type: kafka
    metadata: {topic: elsewhere}
  - type: cpu
    metricType: Utilization
    metadata: {value: "60"}
"""


def test_every_kafka_trigger_of_the_group_counts_with_policies_polling_and_idle_pods() -> None:
    found = read_scaled_object(WHOLE, GROUP)

    assert isinstance(found.make, partial)
    triggers, scaling = found.make.args
    assert [trigger.options.lag_threshold for trigger in triggers] == [100, 10]
    assert [trigger.partitions.tolist() for trigger in triggers] == [
        [*range(6)],
        [*range(6, 10)],
    ]
    first = triggers[0].options
    assert (first.is_average, first.is_cached, first.resets_to_latest) == (False, True, False)
    assert scaling == Scaling(
        min_replicas=2,
        idle_replicas=0,
        polling_s=90,
        up=Behavior(window_s=0.0, policies=(ScalingPolicy(2, 60.0),), select=Select.LEAST),
        down=replace(DOWN, select=Select.NONE),
    )


def test_what_is_not_used_is_listed_before_any_figure() -> None:
    (note,) = read_scaled_object(WHOLE, GROUP).notes

    assert note.startswith("Not used of your ScaledObject: ")
    for what in (
        "spec.fallback (",
        "spec.initialCooldownPeriod (",
        "spec.advanced.scalingModifiers (KEDA scales by its formula alone",
        "spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleUp.tolerance",
        "spec.triggers[0].metadata.lagTreshold",
        "the trigger of another, which is not this group's",
        "the trigger of elsewhere, which is not this group's",
        "the trigger cpu",
    ):
        assert what in note
    assert not read_scaled_object(FULL, GROUP).notes


def test_of_two_triggers_the_one_that_wants_more_pods_decides() -> None:
    rates = np.full(10, 10.0)
    workload = day(rates, np.zeros(10), Profile.STEADY, hours=1.0)
    triggers = [
        f"{{type: kafka, metadata: {{topic: {t}, lagThreshold: 100}}}}" for t in GROUP.topics
    ]
    text = "spec: {{minReplicaCount: 1, triggers: [{}]}}"
    conditions = Conditions(speed=100.0, allowed_s=300.0, commit_s=20.0)

    def pods(*chosen: str) -> int:
        candidate = read_scaled_object(text.format(", ".join(chosen)), GROUP)
        return int(run_candidate(GROUP, workload, candidate, conditions).pods[-1])

    assert pods(*triggers) == max(map(pods, triggers)) > min(map(pods, triggers))


@pytest.mark.parametrize(
    ("annotation", "note", "pods"),
    [
        ("autoscaling.keda.sh/paused: 'true'", "It is paused, so today's pods stay.", {1}),
        ("autoscaling.keda.sh/paused-replicas: '4'", "paused at 4 pods, which stay", {4}),
        ("autoscaling.keda.sh/paused-scale-out: 'true'", "in part: it never adds pods", {1, 2}),
    ],
)
def test_a_paused_one_is_replayed_as_paused(annotation: str, note: str, pods: set[int]) -> None:
    metadata = f"metadata: {{annotations: {{{annotation}}}}}"
    spec = "spec: {minReplicaCount: 2, triggers: [{type: kafka, metadata: {topic: orders}}]}"
    rates = np.full(10, 50.0)
    workload = day(rates, np.zeros(10), Profile.STEADY, hours=1.0)

    found = read_scaled_object(f"{metadata}\n{spec}", GROUP)

    outcome = run_candidate(GROUP, workload, found, Conditions(speed=100.0, allowed_s=300.0))
    assert note in found.notes[-1]
    assert set(outcome.pods.tolist()) <= pods


def test_what_the_text_does_not_tell_is_said_to_be_assumed() -> None:
    text = SHORT.format("topicFromEnv: TOPIC, consumerGroup: x")

    _, group, topic = read_scaled_object(text, GROUP).notes

    assert lacks(group, "consumerGroup is 'x'", "as if it were this group's") == []
    assert lacks(topic, "topicFromEnv", "all of the group's topics") == []


_BEHAVIOR = "advanced: {{horizontalPodAutoscalerConfig: {{behavior: {}}}}}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "idleReplicaCount: 3",
            "idleReplicaCount must be less than minReplicaCount; found 3 and 0",
        ),
        ("pollingInterval: 0", r"spec\.pollingInterval: expected"),
        (
            _BEHAVIOR.format("{scaleUp: {policies: [{type: Nodes, value: 1, periodSeconds: 5}]}}"),
            "invalid enum value 'Nodes'",
        ),
    ],
)
def test_a_setting_that_keda_refuses_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_scaled_object(f"spec: {{{text}, triggers: [{{type: kafka}}]}}", GROUP)


def test_several_topics_of_apache_kafka_count_together_and_an_empty_one_is_none() -> None:
    text = "[{{type: apache-kafka, metadata: {{topic: {}, lagThreshold: '5'}}}}]"

    several = read_scaled_object(text.format("'orders, payments'"), GROUP).scaled
    none = read_scaled_object(text.format("''"), GROUP).scaled

    assert several is not None
    assert none is not None
    partitions = several.triggers[0].partitions
    assert partitions is not None
    assert partitions.tolist() == [*range(10)]
    assert none.triggers[0].partitions is None
    assert not none.triggers[0].options.has_topic


def test_another_kind_of_object_is_named() -> None:
    text = "kind: ScaledJob\nspec: {triggers: [{type: kafka, metadata: {topic: orders}}]}"

    with pytest.raises(SourceError, match="expected a ScaledObject; found a ScaledJob"):
        read_scaled_object(text, GROUP)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{- if .Values.keda }}\nkind: ScaledObject\n{{- end }}", r"line 1 has a placeholder, {{"),
        ('{"kind": "ScaledObject",\n"spec": {"maxReplicaCount": ${most}}}', r"line 2 .*\${most}"),
        (
            "kind: ScaledObject\nspec:\nmaxReplicaCount: 9\nlagThreshold: '5'",
            "lost its indentation",
        ),
    ],
)
def test_what_is_no_whole_object_is_refused_for_what_it_is(text: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        read_scaled_object(text, GROUP)


def test_keys_that_keda_ignores_are_told_with_what_was_meant() -> None:
    text = SHORT.format('lagTreshold: "1000", maxReplicaCount: "5"')

    candidate = read_scaled_object(text, GROUP)

    assert any(
        "lagTreshold (did you mean 'lagThreshold'?)" in note
        and "maxReplicaCount (KEDA takes it in spec)" in note
        for note in candidate.notes
    )
