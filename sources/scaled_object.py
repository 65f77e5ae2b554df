"""Read a KEDA ScaledObject in YAML as a rule to replay."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

import msgspec
import numpy as np
from msgspec import Meta, Struct, field

from assignors.model import BoolArray, Group, IntArray, LongArray
from assignors.suggestions import nearest
from evaluation.autoscaling.comparison import Candidate
from evaluation.autoscaling.hpa import DOWN, UP, Behavior, Scaling, ScalingPolicy, Select
from evaluation.autoscaling.keda import KedaTrigger
from evaluation.autoscaling.resting import Scaled
from evaluation.autoscaling.rules import Trigger, as_it_is, fixed, keda_rule
from evaluation.stated import InvalidNumberError
from evaluation.wording import plural
from sources.errors import SourceError, guarded
from sources.json_errors import expected
from sources.keda_comments import false_comments
from sources.keda_rejections import rejections
from sources.keda_yaml import MOST_CHARACTERS, named, scaled_object_in, unused

__all__ = ["MOST_CHARACTERS", "read_scaled_object"]
_MOST_TRIGGERS: Final = 20
_LIKE: Final = 0.9
"""How alike a misspelt name is: a letter or two."""
_MOST_DIGITS: Final = 7
_LONGEST: Final = 60
"""Characters of a name to quote."""
_PAUSED: Final = "autoscaling.keda.sh/paused"
_Whole = Annotated[int, Meta(ge=0, le=999_999_999)]
_Pods = Annotated[int, Meta(ge=0, le=100_000)]
_Window = Annotated[int, Meta(ge=0, le=3_600)]
_T = TypeVar("_T")


class _Kafka(Struct, rename="camel"):
    """The metadata of a trigger, with KEDA's defaults."""

    topic: str | None = None
    topic_from_env: str | None = None
    consumer_group: str | None = None
    partition_limitation: str | int | None = None
    lag_threshold: _Whole = KedaTrigger.lag_threshold
    activation_lag_threshold: _Whole = KedaTrigger.activation_lag_threshold
    offset_reset_policy: Literal["latest", "earliest"] = "latest"
    allow_idle_consumers: bool = False
    exclude_persistent_lag: bool = False
    scale_to_zero_on_invalid_offset: bool = False
    limit_to_partitions_with_lag: bool = False
    ensure_even_distribution_of_partitions: bool = False

    @property
    def topics(self) -> list[str] | None:
        """Those that it names, several with the type apache-kafka; None if it names none."""
        return [name.strip() for name in self.topic.split(",")] if self.topic else None


_CONNECTION: Final = frozenset(
    {"bootstrapServers", "bootstrapServersFromEnv", "consumerGroupFromEnv", "version", "sasl"}
    | {"brokerList", "saslTokenProvider", "tls", "unsafeSsl", "awsRegion"}
)
"""How KEDA reaches the cluster."""
_OPTIONS: Final = (
    *("lag_threshold", "activation_lag_threshold", "allow_idle_consumers"),
    *("exclude_persistent_lag", "scale_to_zero_on_invalid_offset"),
    *("limit_to_partitions_with_lag", "ensure_even_distribution_of_partitions"),
)


class _Trigger(Struct, rename="camel"):
    type: str
    metadata: dict[str, Any] = {}
    metric_type: Literal["AverageValue", "Value", "Utilization"] = "AverageValue"
    use_cached_metrics: bool = False
    name: Any = None
    authentication_ref: Any = None


class _Policy(Struct, rename="camel"):
    type: Literal["Pods", "Percent"]
    value: Annotated[int, Meta(gt=0, le=999_999_999)]
    period_seconds: Annotated[int, Meta(gt=0, le=1_800)]


class _Behavior(Struct, rename="camel"):
    stabilization_window_seconds: _Window | None = None
    select_policy: Select | None = None
    policies: Annotated[list[_Policy], Meta(max_length=100)] | None = None


class _Behaviors(Struct, rename="camel"):
    scale_up: _Behavior = field(default_factory=_Behavior)
    scale_down: _Behavior = field(default_factory=_Behavior)


class _Autoscaler(Struct):
    behavior: _Behaviors = field(default_factory=_Behaviors)


class _Advanced(Struct, rename="camel"):
    horizontal_pod_autoscaler_config: _Autoscaler = field(default_factory=_Autoscaler)


class _Spec(Struct, rename="camel"):
    triggers: list[_Trigger]
    min_replica_count: _Pods = Scaling.min_replicas
    max_replica_count: _Pods = Scaling.max_replicas
    idle_replica_count: _Pods | None = None
    cooldown_period: _Whole = int(Scaling.cooldown_s)
    polling_interval: Annotated[int, Meta(gt=0, le=999_999_999)] = int(Scaling.polling_s)
    advanced: _Advanced = field(default_factory=_Advanced)


class _Metadata(Struct):
    annotations: dict[str, Any] | None = None


class _ScaledObject(Struct):
    spec: _Spec
    metadata: _Metadata = field(default_factory=_Metadata)


class _Found(NamedTuple):
    """What of a ScaledObject counts for a group."""

    triggers: list[Trigger]
    unused: list[str]
    assumed: list[str]
    """Sentences."""


def read_scaled_object(text: str, group: Group) -> Candidate:
    """Return the rule of a ScaledObject, with KEDA's defaults, and notes on what it leaves out.

    Raises SourceError for anything but a ScaledObject with a Kafka trigger, for topics and
    partitions that the group lacks, and for values that KEDA refuses.
    """
    with guarded("the ScaledObject"):
        document = scaled_object_in(text)
        _require_kind(document)
        whole = _converted(document, _ScaledObject)
        try:
            found, scaling = _found(whole.spec, group), _scaling(whole.spec)
        except InvalidNumberError as error:
            message = f"KEDA rejects this ScaledObject: {error}"
            raise SourceError(message) from error
    notes = (
        named([*unused(document), *found.unused]),
        *false_comments(text),
        *found.assumed,
    )
    candidate = Candidate(
        "Your ScaledObject",
        partial(keda_rule, tuple(found.triggers), scaling),
        found.triggers[0].options,
        scaling,
        is_own=True,
        scaled=Scaled(tuple(found.triggers), scaling),
        rejected=tuple(rejections(document)),
        notes=tuple(filter(None, notes)),
    )
    return _paused(candidate, found, whole.metadata.annotations or {})


def _require_kind(document: object) -> None:
    kind = document.get("kind", "ScaledObject") if isinstance(document, dict) else "ScaledObject"
    if kind != "ScaledObject":
        message = f"expected a ScaledObject; found a {str(kind)[:_LONGEST]}"
        raise SourceError(message)


def _converted(document: object, kind: type[_T], path_before: str = "") -> _T:
    try:
        return msgspec.convert(document, kind, strict=False)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at ")
        where = f"{path_before}{path.strip('`').removeprefix('$')}".lstrip(".")
        message = f"the ScaledObject{where and f', {where}'}: {expected(what)}"
        raise SourceError(message) from error
    except UnicodeEncodeError as error:
        message = "the ScaledObject contains half a character, such as \\ud800"
        raise SourceError(message) from error


def _found(spec: _Spec, group: Group) -> _Found:
    """Return the triggers that count; raises SourceError if none does."""
    found = _Found([], [], [])
    kafka: list[tuple[int, _Trigger, _Kafka]] = []
    for number, trigger in enumerate(spec.triggers):
        path_before = f"spec.triggers[{number}].metadata"
        if trigger.type.endswith("kafka"):
            kafka.append((number, trigger, _converted(trigger.metadata, _Kafka, path_before)))
        else:
            found.unused.append(f"the trigger {trigger.type[:_LONGEST]}")
    if not kafka:
        message = "the ScaledObject has no trigger of the type kafka"
        raise SourceError(message)
    if len(kafka) > _MOST_TRIGGERS:
        message = f"the ScaledObject has {len(kafka):,} Kafka triggers; at most {_MOST_TRIGGERS}"
        raise SourceError(message)
    reads = [each for each in kafka if set(each[2].topics or ()) <= set(group.topics)]
    if not reads:
        topic = str(kafka[0][2].topic)
        way_out = nearest(topic, group.topics)
        message = f"the trigger's topic is {topic[:99]!r}, which the group does not read; {way_out}"
        raise SourceError(message)
    named_so = [each for each in reads if each[2].consumer_group in (None, group.id)]
    counted = named_so or reads
    for each in kafka:
        if each not in counted:
            of = each[2].topic if each not in reads else each[2].consumer_group
            found.unused.append(f"the trigger of {str(of)[:_LONGEST]}, which is not this group's")
    for number, trigger, metadata in counted:
        found.triggers.append(_trigger(trigger, metadata, group))
        found.unused.extend(_unused_metadata(number, trigger))
        found.assumed.extend(_assumed(metadata, group))
    return found


def _trigger(trigger: _Trigger, metadata: _Kafka, group: Group) -> Trigger:
    has_topic = metadata.topics is not None or metadata.topic_from_env is not None
    options = KedaTrigger(
        **{name: getattr(metadata, name) for name in _OPTIONS},
        resets_to_latest=metadata.offset_reset_policy == "latest",
        has_topic=has_topic,
        is_average=trigger.metric_type == "AverageValue",
        is_cached=trigger.use_cached_metrics,
    )
    return Trigger(options, _partitions(metadata, group), metadata.topic or None)


def _unused_metadata(number: int, trigger: _Trigger) -> Iterator[str]:
    fields = {field.encode_name for field in msgspec.structs.fields(_Kafka)}
    of_object = {field.encode_name for field in msgspec.structs.fields(_Spec)}
    for name in trigger.metadata:
        if name in fields or name in _CONNECTION:
            continue
        likely = get_close_matches(str(name)[:_LONGEST], fields, n=1, cutoff=_LIKE)
        why = f" (did you mean {likely[0]!r}?)" if likely else ""
        why = " (KEDA takes it in spec)" if name in of_object else why
        yield f"spec.triggers[{number}].metadata.{str(name)[:_LONGEST]}{why}"


def _assumed(metadata: _Kafka, group: Group) -> Iterator[str]:
    if metadata.consumer_group is not None and group.id not in ("", metadata.consumer_group):
        name = metadata.consumer_group[:_LONGEST]
        yield f"Its consumerGroup is {name!r}; it is replayed as if it were this group's."
    if metadata.topics is None and metadata.topic_from_env is not None and len(group.topics) > 1:
        yield "Its topicFromEnv does not tell the topic: all of the group's topics count."


def _scaling(spec: _Spec) -> Scaling:
    behavior = spec.advanced.horizontal_pod_autoscaler_config.behavior
    return Scaling(
        min_replicas=spec.min_replica_count,
        max_replicas=spec.max_replica_count,
        idle_replicas=spec.idle_replica_count,
        cooldown_s=float(spec.cooldown_period),
        polling_s=float(spec.polling_interval),
        up=_behavior(behavior.scale_up, UP),
        down=_behavior(behavior.scale_down, DOWN),
    )


def _behavior(stated: _Behavior, usual: Behavior) -> Behavior:
    window_s, select = stated.stabilization_window_seconds, stated.select_policy
    policies = stated.policies
    return Behavior(
        window_s=usual.window_s if window_s is None else float(window_s),
        policies=usual.policies
        if policies is None
        else tuple(
            ScalingPolicy(each.value, float(each.period_seconds), each.type == "Percent")
            for each in policies
        ),
        select=select or usual.select,
    )


def _paused(candidate: Candidate, found: _Found, annotations: Mapping[str, Any]) -> Candidate:
    """Return the rule under KEDA's annotations that pause it, with a sentence on that."""
    stated = {str(key): str(value).strip().lower() for key, value in annotations.items()}
    pods = stated.get(f"{_PAUSED}-replicas", "")
    if pods.isdecimal() and len(pods) < _MOST_DIGITS:
        note = f"It is paused at {plural(int(pods), 'pod')}, which stay."
        scaled = Scaled(
            tuple(found.triggers),
            candidate.scaling or Scaling(),
            is_paused=True,
            paused_at=int(pods),
        )
        make = partial(fixed, int(pods))
        return candidate._replace(make=make, scaled=scaled, notes=(*candidate.notes, note))
    if stated.get(_PAUSED) == "true":
        note = "It is paused, so today's pods stay."
        scaled = Scaled(tuple(found.triggers), candidate.scaling or Scaling(), is_paused=True)
        return candidate._replace(make=as_it_is, scaled=scaled, notes=(*candidate.notes, note))
    scaling, notes = candidate.scaling or Scaling(), []
    if stated.get(f"{_PAUSED}-scale-in") == "true":
        down = replace(scaling.down, select=Select.NONE)
        scaling, notes = replace(scaling, down=down, cooldown_s=math.inf), ["never removes pods"]
    if stated.get(f"{_PAUSED}-scale-out") == "true":
        scaling = replace(scaling, up=replace(scaling.up, select=Select.NONE))
        notes.append("never adds pods")
    if not notes:
        return candidate
    make = partial(keda_rule, tuple(found.triggers), scaling)
    note = f"It is paused in part: it {' and '.join(notes)}."
    scaled = Scaled(tuple(found.triggers), scaling)
    notes_ = (*candidate.notes, note)
    return candidate._replace(make=make, scaling=scaling, scaled=scaled, notes=notes_)


def _partitions(kafka: _Kafka, group: Group) -> LongArray | None:
    """Return the partitions to consider; None for all."""
    if kafka.topics is None:
        return None
    topics = [group.topics.index(name) for name in kafka.topics]
    counted: BoolArray = np.isin(group.topic_of_partition, topics)
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
