"""A resting point in words: one sentence, then the steps that lead there."""

from collections.abc import Iterator, Sequence
from typing import Final

from evaluation.autoscaling.resting import Polled, Resting, Stop
from evaluation.wording import duration, listed, plural

_MOST_STEPS: Final = 6


def resting_sentence(resting: Resting) -> str:
    """Return where the pods come to rest, and why."""
    pods, today = resting.rests_at, resting.path[0]
    if resting.stop is Stop.PAUSED:
        return f"The ScaledObject is paused at {plural(pods, 'pod')}."
    at = f"stays at {plural(pods, 'pod')}" if pods == today else _goes(today, pods)
    return f"With today's lag KEDA {at}: {_why(resting)}."


def resting_steps(resting: Resting) -> Iterator[str]:
    """Yield what each trigger measures, what the HPA makes of it, and which limits bind."""
    for polled in resting.polled:
        yield _measured(polled)
        yield from _caveats(polled)
    if len(resting.polled) > 1:
        wanted = listed([f"{each.desired:,}" for each in resting.polled])
        yield f"Of {wanted} pods the HPA takes the largest, not the sum: {resting.desired:,}."
    if len(resting.path) > 1:
        shown = [f"{pods:,}" for pods in resting.path]
        if len(shown) > _MOST_STEPS:
            shown = [*shown[: _MOST_STEPS - 2], "…", shown[-1]]
        yield f"Pods, change by change: {' → '.join(shown)}."
    yield from _too_many(resting)


def rejected_sentence(reasons: Sequence[str]) -> str:
    """Return why KEDA 2 would not take the object; "" if it would."""
    return f"KEDA 2 rejects it as written: {'; '.join(reasons)}." if reasons else ""


def trigger_why(polled: Polled) -> str:
    """Return how one trigger comes to the pods that it wants."""
    return " ".join([_measured(polled), *_caveats(polled)])


def _goes(today: int, pods: int) -> str:
    return f"goes from {today:,} to {plural(pods, 'pod')}"


def _why(resting: Resting) -> str:
    pods, scaling, decides = resting.rests_at, resting.scaled.scaling, resting.decides
    wants = _wanted(decides)
    match resting.stop:
        case Stop.IDLE:
            after = f", {duration(scaling.cooldown_s)} after the last activity"
            why = "no trigger is above its activation threshold"
            why += after if resting.path[0] > pods else ""
        case Stop.ON_TARGET:
            why = f"{wants}{_each(decides, pods)}"
        case Stop.TOLERANCE:
            why = _within(resting)
        case Stop.MOST:
            why = f"{wants}, but maxReplicaCount is {scaling.max_replicas:,}"
        case Stop.LEAST if scaling.min_replicas:
            why = f"{wants}, but minReplicaCount is {scaling.min_replicas:,}"
        case Stop.LEAST:
            why = "the HPA keeps one pod"
        case Stop.POLICY:
            way = "scaleUp" if resting.desired > pods else "scaleDown"
            why = f"{wants}, but its {way} policy allows no change"
        case Stop.PAUSED:
            why = "it is paused"
    return why


def _wanted(polled: Polled) -> str:
    """Return the metric over its target, rounded up to pods."""
    is_whole = polled.options.is_average and polled.metric % polled.options.lag_threshold == 0
    sign = "=" if is_whole else "rounds up to"
    return f"{_ratio(polled)} {sign} {polled.desired:,}{_just_capped(polled)}"


def _within(resting: Resting) -> str:
    """Return why the HPA leaves a number that does not meet the target exactly."""
    pods, decides, scaling = resting.rests_at, resting.decides, resting.scaled.scaling
    threshold = decides.options.lag_threshold
    share = f"{scaling.tolerance:.0%}".replace("%", " %")
    if not decides.options.is_average:
        ratio = f"{decides.metric:,} / {threshold:,} = {decides.metric / threshold:.2f}"
        return f"{ratio} is within the HPA's tolerance of {share}"
    needed = decides.metric / threshold
    said = (
        f"{needed:,.4g} / {pods:,} = {needed / pods:.2f} is within the HPA's tolerance of {share}"
    )
    wants = (
        f"{needed:,.4g}, so {decides.desired:,} would be on target"
        if needed % 1
        else f"{needed:,.0f}"
    )
    said = f"{_ratio(decides)} = {wants}{_just_capped(decides)}, but {said}"
    if resting.goes_on_from is not None:
        limit = min(max(decides.desired, scaling.min_replicas, 1), scaling.max_replicas)
        said += f"; from {resting.goes_on_from:,} it would go to {limit:,}"
    more = resting.desired - pods
    if more > 0:
        gain = f"{more / pods:.0%}".replace("%", " %")
        said += f". {plural(more, 'more pod')} would add {gain}"
    return said


def _ratio(polled: Polled) -> str:
    """Return what the HPA rounds up to the pods that it wants."""
    pods = "" if polled.options.is_average else " of the pods at rest"
    return f"{polled.metric:,} / {polled.options.lag_threshold:,}{pods}"


def _just_capped(polled: Polled) -> str:
    return ", the cap" if polled.cap is not None and polled.metric == polled.cap else ""


def _each(polled: Polled, pods: int) -> str:
    """Return that a capped metric is just the target of every pod."""
    if not _just_capped(polled) or polled.lag == polled.metric:
        return ""
    return f"; over {plural(pods, 'pod')} that is {polled.options.lag_threshold:,} each, the target"


def _measured(polled: Polled) -> str:
    name = polled.topic or "All topics"
    cap, threshold = polled.cap, polled.options.lag_threshold
    lag = f"{name}: lag {polled.lag:,} over {plural(polled.counted, 'partition')}"
    if polled.options.ensure_even_distribution_of_partitions:
        capped = f"raised to {polled.metric:,}, so that partitions divide evenly"
    elif cap is None:
        capped = "not capped, since allowIdleConsumers is set"
    elif polled.metric == cap < polled.lag:
        whose = " with lag" if polled.options.limit_to_partitions_with_lag else ""
        capped = f"capped at {cap // threshold:,}{whose} times {threshold:,} = {cap:,}"
    elif polled.metric > cap:
        capped = f"above the cap of {cap:,}, which KEDA applies only from {cap + threshold:,}"
    else:
        capped = f"below the cap of {cap:,}" if polled.metric < cap else f"just the cap of {cap:,}"
    wants = "" if polled.is_active else ", not above its activation threshold"
    return f"{lag}, {capped}; {_ratio(polled)} wants {plural(polled.desired, 'pod')}{wants}."


def _caveats(polled: Polled) -> Iterator[str]:
    options = polled.options
    if polled.uncommitted:
        each = "all retained records" if not options.resets_to_latest else "1 record"
        if options.scale_to_zero_on_invalid_offset:
            each = "0, by scaleToZeroOnInvalidOffset"
        whose = "has" if polled.uncommitted == 1 else "have"
        said = f"{plural(polled.uncommitted, 'partition')} {whose} no committed offset"
        yield f"{said}: each counts as {each}."
    if polled.unknown:
        yield f"Of {polled.unknown:,} of these it is only not known."
    if polled.is_from_start:
        yield "First offsets are unknown, so that the metric is at most this."
    if polled.left_out:
        yield (
            f"partitionLimitation leaves out {plural(polled.left_out, 'partition')}, whose lag "
            "never counts."
        )
    if polled.persistent:
        yield (
            f"excludePersistentLag leaves out {plural(polled.persistent, 'partition')}, whose "
            "offset did not move."
        )


def _too_many(resting: Resting) -> Iterator[str]:
    """Yield how far pods may exceed the partitions, where nothing prevents it."""
    most, partitions = resting.scaled.scaling.max_replicas, _partitions(resting)
    idle = [each for each in resting.polled if each.options.allow_idle_consumers]
    if idle and most > partitions:
        yield (
            f"allowIdleConsumers lets pods rise to maxReplicaCount, {most:,}, for "
            f"{plural(partitions, 'partition')}."
        )


def _partitions(resting: Resting) -> int:
    return sum({each.topic: each.counted + each.left_out for each in resting.polled}.values())
