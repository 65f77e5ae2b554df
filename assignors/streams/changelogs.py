"""Which changelogs a sub-topology has, and with them how much state a copy has to restore."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from assignors.streams.application import Changelog, StreamsApplication
from assignors.streams.tasks import Task

_REPARTITION: Final = "-repartition"


def with_changelogs(
    application: StreamsApplication,
    group: str,
    stores: Mapping[int, Sequence[str]] | None = None,
) -> StreamsApplication:
    """Return the application with its changelogs' ends; as it is if it is open whose they are.

    ``stores`` are those of each sub-topology, which its description names. Without it, a store
    belongs where the repartition topic of its name is read, else to the only sub-topology with
    state that has as many tasks as the changelog has partitions.
    """
    of = _by_subtopology(application, group, stores)
    if not of:
        return application
    ends, restores = {}, {}
    for number, listed in of.items():
        for at in range(len(listed[0].end)):
            task = Task(number, at)
            ends[task] = sum(each.end[at] for each in listed)
            restores[task] = ends[task] - sum(each.begin[at] for each in listed)
    return replace(
        with_ends(application, ends), restores=restores, knows_offsets=True, is_as_reported=True
    )


def with_ends(application: StreamsApplication, ends: Mapping[Task, int]) -> StreamsApplication:
    """Return the application with these ends, which the copies that threads were assigned reached.

    Reports of threads are as old as the last rebalance, and a copy restores at once.
    """
    instances = [
        each._replace(
            threads=[
                thread._replace(
                    offset_sums={
                        **thread.offset_sums,
                        **{task: ends.get(task, 0) for task in thread.standby},
                    }
                )
                for thread in each.threads
            ]
        )
        for each in application.instances
    ]
    return replace(application, end_offsets=ends, instances=instances)


def _by_subtopology(
    application: StreamsApplication,
    group: str,
    stores: Mapping[int, Sequence[str]] | None,
) -> dict[int, list[Changelog]]:
    """Return the changelogs of each sub-topology with state; {} where one has none, or may."""
    stateful = [each for each in application.subtopologies if each.is_stateful]
    sizes = {
        each.id: max((application.topics.get(name, 0) for name in each.sources), default=0)
        for each in stateful
    }
    found: dict[int, list[Changelog]] = {number: [] for number in sizes}
    for name, changelog in application.changelogs.items():
        alike = [number for number, size in sizes.items() if size == len(changelog.end)]
        if stores is not None:
            owners = [number for number in alike if name in stores.get(number, ())]
        else:
            reads = f"{group}-{name}{_REPARTITION}"
            named = [each.id for each in stateful if reads in each.sources and each.id in alike]
            owners = named or alike
            if len(owners) > 1:
                return {}
        for number in owners:
            found[number].append(changelog)
    return found if all(found.values()) else {}
