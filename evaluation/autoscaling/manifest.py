"""A ScaledObject of KEDA: written for the rule to set, and read from what a group has."""

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from assignors.model import BoolArray, Group, IntArray, LongArray
from evaluation.autoscaling.comparison import Candidate
from evaluation.autoscaling.hpa import Scaling
from evaluation.autoscaling.keda import Options
from evaluation.autoscaling.rules import keda_rule
from evaluation.capacity.draining import InvalidCapacityError

_NUMBERS: Final = {
    "lagThreshold": "lag_threshold",
    "activationLagThreshold": "activation_lag_threshold",
}
_FLAGS: Final = {
    "allowIdleConsumers": "allow_idle_consumers",
    "excludePersistentLag": "exclude_persistent_lag",
    "scaleToZeroOnInvalidOffset": "scale_to_zero_on_invalid_offset",
    "limitToPartitionsWithLag": "limit_to_partitions_with_lag",
    "ensureEvenDistributionOfPartitions": "ensure_even_distribution_of_partitions",
}
_LIMITS: Final = {
    "minReplicaCount": "min_replicas",
    "maxReplicaCount": "max_replicas",
    "cooldownPeriod": "cooldown_s",
}
_MOST_PODS: Final = 100_000
_LINE: Final = re.compile(
    r"""^[ \t-]*(\w+)[ \t]*:[ \t]*["']?([^"'#\n]+?)["']?[ \t]*(?:#.*)?$""", re.MULTILINE
)
_DOWN: Final = re.compile(
    r"scaleDown:(?:(?!scaleUp:)[\s\S]){0,999}?stabilizationWindowSeconds: *([0-9]{1,9})"
)
_MANIFEST: Final = """apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: consumers
spec:
  scaleTargetRef:
    name: consumers
  pollingInterval: 30
  cooldownPeriod: 300
  minReplicaCount: {least}
  maxReplicaCount: {most}
  triggers:
    - type: kafka
      metadata:
{metadata}"""


def manifest(candidate: Candidate, group: Group) -> str:
    """Return the ScaledObject, or for a fixed number what sets it; JSON strings are YAML's too."""
    if candidate.pods is not None:
        return f"kubectl scale deployment/consumers --replicas={candidate.pods}"
    if candidate.is_own:
        return "# Your ScaledObject, as it is."
    trigger, scaling = candidate.trigger, candidate.scaling
    if trigger is None or scaling is None:
        return ""
    metadata = {
        "bootstrapServers": "broker:9092",
        "consumerGroup": group.id or "group",
        **({"topic": group.topics[0]} if trigger.has_topic else {}),
        "lagThreshold": str(trigger.lag_threshold),
        **{name: "true" for name, field in _FLAGS.items() if getattr(trigger, field)},
    }
    lines = [f"        {name}: {json.dumps(value)}" for name, value in metadata.items()]
    return _MANIFEST.format(
        least=scaling.min_replicas,
        most=scaling.max_replicas,
        metadata="\n".join(lines),
    )


def own(text: str, group: Group) -> Candidate:
    """Return the rule that a ScaledObject states, with KEDA's defaults for what it leaves out.

    Raises InvalidCapacityError for what KEDA refuses, and for what the group does not have.
    """
    lines = dict(_LINE.findall(text))
    if "lagThreshold" not in lines:
        message = "a ScaledObject has a line such as lagThreshold: '100'; found none"
        raise InvalidCapacityError(message)
    stated: dict[str, Any] = {
        field: _whole(lines, name) for name, field in _NUMBERS.items() if name in lines
    }
    stated |= {field: _is_true(lines, name) for name, field in _FLAGS.items() if name in lines}
    limits: dict[str, Any] = {
        field: _whole(lines, name) for name, field in _LIMITS.items() if name in lines
    }
    if down := _DOWN.search(text):
        limits["down_window_s"] = float(down[1])
    options = Options(**stated, has_topic="topic" in lines)
    scaling, partitions = Scaling(**limits), _partitions(lines, group)
    if scaling.max_replicas > _MOST_PODS:
        message = (
            f"maxReplicaCount up to {_MOST_PODS:,} is replayed; found {scaling.max_replicas:,}"
        )
        raise InvalidCapacityError(message)
    make = partial(keda_rule, options, scaling, partitions)
    return Candidate("Your ScaledObject", make, options, scaling, is_own=True)


def _whole(lines: Mapping[str, str], name: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", lines[name]):
        expected = f"the ScaledObject's {name} must be a whole number of at most 9 digits"
        message = f"{expected}; found {lines[name][:40]}"
        raise InvalidCapacityError(message)
    return int(lines[name])


def _is_true(lines: Mapping[str, str], name: str) -> bool:
    if lines[name] not in {"true", "false"}:
        message = f"the ScaledObject's {name} must be true or false; found {lines[name][:40]}"
        raise InvalidCapacityError(message)
    return lines[name] == "true"


def _partitions(lines: Mapping[str, str], group: Group) -> LongArray | None:
    """Return the partitions that count; None: all."""
    if "topic" not in lines:
        return None
    if lines["topic"] not in group.topics:
        message = (
            f"the trigger's topic must be one that the group reads; found {lines['topic'][:99]}"
        )
        raise InvalidCapacityError(message)
    counted = group.topic_of_partition == group.topics.index(lines["topic"])
    if "partitionLimitation" in lines:
        counted = counted & _within(lines["partitionLimitation"], group.number_in_topic)
    if not counted.any():
        message = "the ScaledObject's partitionLimitation names no partition of the topic"
        raise InvalidCapacityError(message)
    return np.flatnonzero(counted)


def _within(limitation: str, numbers: IntArray) -> BoolArray:
    """Tell which numbers a limitation such as 1,2,10-12 names."""
    found = np.zeros(numbers.size, np.bool_)
    for part in limitation.split(","):
        range_ = re.fullmatch("([0-9]{1,9})(?:-([0-9]{1,9}))?", part.strip())
        if range_ is None:
            expected = "the ScaledObject's partitionLimitation must be like 1,2,10-12"
            message = f"{expected}; found {limitation[:40]}"
            raise InvalidCapacityError(message)
        first, last = range_[1], range_[2] or range_[1]
        found |= (numbers >= int(first)) & (numbers <= int(last))
    return found
