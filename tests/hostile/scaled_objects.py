"""ScaledObjects by seed: valid ones with any of KEDA's settings, some of them misspelt."""

import json
import random
from typing import Any, Final, NamedTuple

from assignors.model import Group

GROUP: Final = Group.of(["orders", "payments"], [6, 4], ["a"], id="g", owners=[0] * 10)
_SPEC: Final = {
    "pollingInterval": (1, 30, "90", 1_000_000),
    "cooldownPeriod": (0, "300", 7_200),
    "minReplicaCount": (0, 1, "2", 5),
    "maxReplicaCount": (5, 12, "100"),
    "idleReplicaCount": (0,),
}
_METADATA: Final = {
    "topic": ("orders", "payments"),
    "consumerGroup": ("g",),
    "lagThreshold": ("1", 50, "100000"),
    "activationLagThreshold": ("0", 5),
    "offsetResetPolicy": ("latest", "earliest"),
    "allowIdleConsumers": ("true", False),
    "excludePersistentLag": ("true", True),
    "scaleToZeroOnInvalidOffset": (True, "false"),
    "bootstrapServers": ("b:9092",),
    "version": ("1.0.0",),
    "tls": ("enable",),
    "sasl": ("plaintext",),
}
_NOT_USED: Final = {
    "spec.fallback": {"failureThreshold": 3, "replicas": 6},
    "spec.initialCooldownPeriod": 60,
    "spec.minReplicas": 3,
    "spec.advanced.scalingModifiers": {"formula": "a + b"},
    "spec.advanced.horizontalPodAutoscalerConfig.behaviour": {"scaleUp": {}},
    "spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleUp.tolerance": 0.05,
}
_ANNOTATIONS: Final[tuple[dict[str, str], ...]] = (
    {},
    {},
    {"prometheus.io/scrape": "true"},
    {"autoscaling.keda.sh/paused": "false"},
    {"autoscaling.keda.sh/paused": "true"},
    {"autoscaling.keda.sh/paused-replicas": "3"},
    {"autoscaling.keda.sh/paused-scale-in": "true"},
)


class Question(NamedTuple):
    """The YAML of a ScaledObject, and what of it no replay can use."""

    text: str
    unused: list[str]
    is_paused: bool


def scaled_object(seed: int) -> Question:
    """Return the ScaledObject of this seed."""
    draw = random.Random(seed)  # noqa: S311 -- the same for the same seed
    spec: dict[str, Any] = {"scaleTargetRef": {"name": "workers"}, **_some(draw, _SPEC)}
    if "idleReplicaCount" in spec:
        spec["minReplicaCount"] = 1 + draw.randrange(3)
    unused = draw.sample(sorted(_NOT_USED), draw.randrange(3))
    behavior = {name: _behavior(draw) for name in ("scaleUp", "scaleDown") if draw.random() < 0.5}
    if behavior or draw.random() < 0.2:
        spec["advanced"] = {"horizontalPodAutoscalerConfig": {"behavior": behavior}}
    spec["triggers"] = [_trigger(draw) for _ in range(draw.randrange(1, 4))]
    document = {"metadata": {"annotations": draw.choice(_ANNOTATIONS)}, "spec": spec}
    for path in unused:
        *parents, name = path.split(".")
        place: dict[str, Any] = document
        for parent in parents:
            place = place.setdefault(parent, {})
        place[name] = _NOT_USED[path]
    if draw.random() < 0.2:
        spec["triggers"].append({"type": "cron", "metadata": {"timezone": "UTC"}})
        unused.append("the trigger cron")
    if draw.random() < 0.2:
        spec["triggers"][0]["metadata"]["lagTreshold"] = "5"
        unused.append("spec.triggers[0].metadata.lagTreshold")
    paused = document["metadata"]["annotations"]
    is_paused = any("paused" in name and value != "false" for name, value in paused.items())
    return Question(json.dumps(document), unused, is_paused)


def _some(draw: random.Random, values: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
    return {name: draw.choice(each) for name, each in values.items() if draw.random() < 0.4}


def _trigger(draw: random.Random) -> dict[str, Any]:
    metadata = _some(draw, _METADATA)
    if "topic" in metadata and draw.random() < 0.3:
        metadata.pop("allowIdleConsumers", None)
        metadata["limitToPartitionsWithLag"] = "true"
    more = _some(draw, {"metricType": ("AverageValue", "Value"), "useCachedMetrics": (True, False)})
    return {"type": draw.choice(("kafka", "apache-kafka")), "metadata": metadata, **more}


def _behavior(draw: random.Random) -> dict[str, Any]:
    policies = [
        {
            "type": draw.choice(("Pods", "Percent")),
            "value": draw.choice((1, 4, 50, 100, 1_000)),
            "periodSeconds": draw.choice((1, 15, 60, 1_800)),
        }
        for _ in range(draw.randrange(4))
    ]
    return _some(
        draw,
        {
            "stabilizationWindowSeconds": (0, 30, 300, 3_600),
            "selectPolicy": ("Max", "Min", "Disabled"),
            "policies": (policies,),
        },
    )
