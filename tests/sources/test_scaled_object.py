"""Real ScaledObjects: their settings, and KEDA's defaults for the rest."""

import pickle

import numpy as np
import pytest

from assignors.model import Group
from evaluation.autoscaling.comparison import candidates, manifest, run_candidate
from evaluation.autoscaling.hpa import Scaling
from evaluation.autoscaling.keda import KedaTrigger
from evaluation.autoscaling.replay import Conditions
from evaluation.autoscaling.workloads import Profile, day
from sources.errors import UnexpectedError
from sources.scaled_object import read_scaled_object

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
        min_replicas=2, max_replicas=30, cooldown_s=120, down_window_s=60
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
