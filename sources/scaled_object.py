"""Read a KEDA ScaledObject in YAML as a rule to replay."""

import re
from functools import partial
from typing import Annotated, Final

import msgspec
import numpy as np
import yaml
from msgspec import Meta, Struct, field

from assignors.model import BoolArray, Group, IntArray, LongArray
from assignors.suggestions import nearest
from evaluation.autoscaling.comparison import Candidate
from evaluation.autoscaling.hpa import Scaling
from evaluation.autoscaling.keda import KedaTrigger
from evaluation.autoscaling.rules import keda_rule
from sources.errors import SourceError, guarded
from sources.json_errors import expected

MOST_CHARACTERS: Final = 20_000
_MOST_KEYS: Final = 1_000
"""The most keys of a mapping, including merged ones."""
_Whole = Annotated[int, Meta(ge=0, le=999_999_999)]
_Pods = Annotated[int, Meta(ge=0, le=100_000)]


class _Kafka(Struct, rename="camel"):
    """The metadata of a trigger, with KEDA's defaults."""

    topic: str | None = None
    partition_limitation: str | int | None = None
    lag_threshold: _Whole = KedaTrigger.lag_threshold
    activation_lag_threshold: _Whole = KedaTrigger.activation_lag_threshold
    allow_idle_consumers: bool = False
    exclude_persistent_lag: bool = False
    scale_to_zero_on_invalid_offset: bool = False
    limit_to_partitions_with_lag: bool = False
    ensure_even_distribution_of_partitions: bool = False


class _Trigger(Struct):
    type: str
    metadata: _Kafka


class _ScaleDown(Struct, rename="camel"):
    stabilization_window_seconds: _Whole = int(Scaling.down_window_s)


class _Behavior(Struct, rename="camel"):
    scale_down: _ScaleDown = field(default_factory=_ScaleDown)


class _Autoscaler(Struct):
    behavior: _Behavior = field(default_factory=_Behavior)


class _Advanced(Struct, rename="camel"):
    horizontal_pod_autoscaler_config: _Autoscaler = field(default_factory=_Autoscaler)


class _Spec(Struct, rename="camel"):
    triggers: list[_Trigger]
    min_replica_count: _Pods = Scaling.min_replicas
    max_replica_count: _Pods = Scaling.max_replicas
    cooldown_period: _Whole = int(Scaling.cooldown_s)
    advanced: _Advanced = field(default_factory=_Advanced)


class _ScaledObject(Struct):
    spec: _Spec


def read_scaled_object(text: str, group: Group) -> Candidate:
    """Return the rule of a ScaledObject, with KEDA's defaults.

    Raises SourceError for anything but a ScaledObject with a Kafka trigger, and for topics and
    partitions that the group lacks; InvalidCapacityError for values that KEDA refuses.
    """
    with guarded("the ScaledObject"):
        spec = _decoded(text).spec
        kafka = next((t.metadata for t in spec.triggers if t.type.endswith("kafka")), None)
        if kafka is None:
            message = "the ScaledObject has no trigger of the type kafka"
            raise SourceError(message)
        partitions = _partitions(kafka, group)
    stated = msgspec.structs.asdict(kafka)
    topic, _ = stated.pop("topic"), stated.pop("partition_limitation")
    options = KedaTrigger(**stated, has_topic=topic is not None)
    down = spec.advanced.horizontal_pod_autoscaler_config.behavior.scale_down
    scaling = Scaling(
        min_replicas=spec.min_replica_count,
        max_replicas=spec.max_replica_count,
        cooldown_s=float(spec.cooldown_period),
        down_window_s=float(down.stabilization_window_seconds),
    )
    make = partial(keda_rule, options, scaling, partitions)
    return Candidate("Your ScaledObject", make, options, scaling, is_own=True)


class _Loader(yaml.SafeLoader):
    """PyYAML's pure Python loader, because deep nesting crashes the one in C."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge mappings under ``<<`` up to a limit, because each level multiplies the keys."""
        super().flatten_mapping(node)
        if len(node.value) > _MOST_KEYS:
            message = f"a mapping has more than {_MOST_KEYS:,} keys"
            raise yaml.constructor.ConstructorError(None, None, message, node.start_mark)


def _decoded(text: str) -> _ScaledObject:
    if len(text) > MOST_CHARACTERS:
        message = f"a ScaledObject has at most {MOST_CHARACTERS:,} characters; found {len(text):,}"
        raise SourceError(message)
    try:
        document = yaml.load(text, Loader=_Loader)  # noqa: S506 -- a SafeLoader
        return msgspec.convert(document, _ScaledObject, strict=False)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at ")
        place = path.strip("`").removeprefix("$").lstrip(".")
        message = f"the ScaledObject{place and f', {place}'}: {expected(what)}"
        raise SourceError(message) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = f"the ScaledObject is not valid YAML: {_why(error)}"
        raise SourceError(message) from error
    except (AttributeError, LookupError, OverflowError) as error:
        message = "the ScaledObject is not valid YAML: a value is not of the type that it states"
        raise SourceError(message) from error


def _why(error: Exception) -> str:
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    if mark is None or not isinstance(error, yaml.MarkedYAMLError):
        return str(error)
    return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}"


def _partitions(kafka: _Kafka, group: Group) -> LongArray | None:
    """Return the partitions to consider; None for all."""
    if kafka.topic is None:
        return None
    if kafka.topic not in group.topics:
        way_out = nearest(kafka.topic, group.topics)
        message = (
            f"the trigger's topic is {kafka.topic[:99]!r}, which the group does not read; {way_out}"
        )
        raise SourceError(message)
    counted = group.topic_of_partition == group.topics.index(kafka.topic)
    if kafka.partition_limitation is not None:
        counted = counted & _within(str(kafka.partition_limitation), group.number_in_topic)
    if not counted.any():
        message = "the ScaledObject's partitionLimitation names no partition of the topic"
        raise SourceError(message)
    return np.flatnonzero(counted)


def _within(limitation: str, numbers: IntArray) -> BoolArray:
    """Return the numbers in a limitation such as 1,2,10-12."""
    is_named = np.zeros(numbers.size, np.bool_)
    for part in limitation.split(","):
        range_ = re.fullmatch("([0-9]{1,9})(?:-([0-9]{1,9}))?", part.strip())
        if range_ is None:
            message = (
                "the ScaledObject's partitionLimitation must be like 1,2,10-12; "
                f"found {limitation[:40]}"
            )
            raise SourceError(message)
        first, last = range_[1], range_[2] or range_[1]
        is_named |= (numbers >= int(first)) & (numbers <= int(last))
    return is_named
