"""A resting point as JSON."""

from assignors.model import Group, LongArray
from evaluation.autoscaling.resting import Polled, Resting, Scaled, resting_point
from evaluation.autoscaling.resting_words import resting_sentence, resting_steps, trigger_why


def resting_data(
    scaled: Scaled, group: Group, replicas: int, before: LongArray | None = None
) -> dict[str, object]:
    """Return where the pods come to rest and why, and the same of each trigger alone."""
    whole = resting_point(scaled, group, replicas, before)
    alone = [
        resting_point(scaled._replace(triggers=(each,)), group, replicas, before)
        for each in scaled.triggers
    ]
    return {
        "replicas": replicas,
        "rests_at": whole.rests_at,
        "desired": whole.desired,
        "stop": whole.stop.value,
        "goes_on_from": whole.goes_on_from,
        "path": list(whole.path),
        "why": resting_sentence(whole),
        "steps": list(resting_steps(whole)),
        "triggers": [_of(each, each.polled[0]) for each in alone],
    }


def _of(resting: Resting, polled: Polled) -> dict[str, object]:
    return {
        "topic": polled.topic,
        "lag": polled.lag,
        "partitions": polled.counted,
        "left_out": polled.left_out,
        "uncommitted": polled.uncommitted,
        "unknown": polled.unknown,
        "persistent": polled.persistent,
        "lag_threshold": polled.options.lag_threshold,
        "cap": polled.cap,
        "metric": polled.metric,
        "is_active": polled.is_active,
        "desired": polled.desired,
        "rests_at": resting.rests_at,
        "why": trigger_why(polled),
    }
