"""Topics from rows of partitions, and the lag of a row that tells offsets alone."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assignors.numbering import Topic


def lag_of(end: int | None, committed: int | None) -> int | None:
    """Return the lag that follows from offsets (KAFKA-5337); None if either is unknown.

    Nothing waits in an empty log, whatever is committed.
    """
    if end == 0:
        return 0
    return None if end is None or committed is None else max(end - committed, 0)


def topics_of_rows(
    sizes: Mapping[str, int],
    partitions: Sequence[tuple[str, int]],
    columns: Mapping[str, Iterable[Any]],
) -> dict[str, Topic]:
    """Return topics of these sizes, with the values of their partitions' rows.

    ``columns`` has fields of ``Topic``, one value per row. A partition without a row has None, or
    no racks; columns without values are omitted, except for lags, which would otherwise be derived.
    """
    values: dict[str, dict[str, list[Any]]] = {
        topic: {name: [() if name == "racks" else None] * size for name in columns}
        for topic, size in sizes.items()
    }
    for name, column in columns.items():
        for (topic, partition), value in zip(partitions, column, strict=True):
            values[topic][name][partition] = value
    topics: dict[str, Topic] = {}
    for topic, size in sizes.items():
        known: dict[str, Any] = {
            name: column
            for name, column in values[topic].items()
            if name == "lags" or any(value is not None for value in column)
        }
        topics[topic] = Topic(size, **known)
    return topics
