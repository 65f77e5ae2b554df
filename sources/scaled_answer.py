"""A group and the text of its ScaledObject in, where its pods come to rest out."""

from evaluation.autoscaling.resting import committed_before
from evaluation.autoscaling.resting_data import resting_data
from evaluation.reading import Reading
from sources.scaled_object import read_scaled_object


def at_rest(reading: Reading, text: str, pods: int | None) -> dict[str, object]:
    """Return the resting point of a group with ``pods``, by default one a consumer, as JSON.

    Raises SourceError for what is no ScaledObject of the group.
    """
    group = reading.group
    own = read_scaled_object(text, group)
    before = committed_before(group, reading.history)
    replicas = group.member_count if pods is None else pods
    about: dict[str, object] = {"id": reading.name, "kind": reading.kind.value}
    found = {} if own.scaled is None else resting_data(own.scaled, group, replicas, before)
    return about | found | {"rejected": own.rejected, "notes": (*reading.notes, *own.notes)}
