"""What sets a rule: a ScaledObject of KEDA, or a command."""

import json
from typing import Final

from assignors.model import Group
from evaluation.autoscaling.comparison import Candidate

_FLAGS: Final = {
    "allowIdleConsumers": "allow_idle_consumers",
    "excludePersistentLag": "exclude_persistent_lag",
    "scaleToZeroOnInvalidOffset": "scale_to_zero_on_invalid_offset",
    "limitToPartitionsWithLag": "limit_to_partitions_with_lag",
    "ensureEvenDistributionOfPartitions": "ensure_even_distribution_of_partitions",
}
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
