"""A ScaledObject that somebody runs, read: what it states, and KEDA's defaults for the rest."""

import pickle

import numpy as np
import pytest

from assignors.model import Group
from evaluation.autoscaling.comparison import candidates, played
from evaluation.autoscaling.hpa import Scaling
from evaluation.autoscaling.keda import Options
from evaluation.autoscaling.manifest import manifest, own
from evaluation.autoscaling.replay import Conditions
from evaluation.autoscaling.workloads import Profile, day
from evaluation.capacity.draining import InvalidCapacityError

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


def test_what_is_stated_counts_and_the_rest_is_kedas_default() -> None:
    full, short = own(FULL, GROUP), own("- lagThreshold: 7", GROUP)

    assert full.trigger == Options(
        lag_threshold=50, activation_lag_threshold=5, allow_idle_consumers=True
    )
    assert full.scaling == Scaling(
        min_replicas=2, max_replicas=30, cooldown_s=120, down_window_s=60
    )
    assert short.trigger == Options(lag_threshold=7, has_topic=False)
    assert short.scaling == Scaling()


def test_what_is_written_is_read_back_as_it_was() -> None:
    group = Group.of(["orders"], [6], ["a"], id="g", owners=[0] * 6)
    conditions = Conditions(speed=100.0, allowed_s=300.0)

    for candidate in candidates(group, conditions):
        if candidate.trigger is not None:
            found = own(manifest(candidate, group), group)
            assert (found.trigger, found.scaling) == (candidate.trigger, candidate.scaling)


def test_only_the_partitions_it_names_count_and_without_lag_no_pod_stays() -> None:
    rates = np.zeros(10)
    rates[[0, 7]] = 90.0  # orders-0, and payments-1, which the limitation leaves out
    workload = day(rates, np.zeros(10), Profile.STEADY, hours=1.0)
    text = FULL.replace("minReplicaCount: 2", "minReplicaCount: 0")
    candidate = pickle.loads(pickle.dumps(own(text, GROUP)))  # noqa: S301 -- our own

    outcome = played(GROUP, workload, candidate, Conditions(speed=100.0, allowed_s=300.0))

    assert outcome.pods[-1] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: ScaledObject", "has a line such as lagThreshold"),
        (
            "lagThreshold: many",
            "lagThreshold must be a whole number of at most 9 digits; found man",
        ),
        ("lagThreshold: 0", "lagThreshold must be more than 0"),
        ("lagThreshold: 5\nexcludePersistentLag: yes", "must be true or false; found yes"),
        ("lagThreshold: 5\ntopic: other", "must be one that the group reads; found other"),
        ("lagThreshold: 5\ntopic: orders\npartitionLimitation: 9", "names no partition"),
        ("lagThreshold: 5\ntopic: orders\npartitionLimitation: a-b", "like 1,2,10-12; found a-b"),
        ("lagThreshold: 5\nmaxReplicaCount: 0", "found 0 and 0"),
        ("lagThreshold: 5\nmaxReplicaCount: 900000", "up to 100,000 is replayed; found 900,000"),
    ],
)
def test_what_cannot_be_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(InvalidCapacityError, match=message):
        own(text, GROUP)
