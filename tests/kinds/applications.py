"""Random Streams applications on the classic protocol."""

from hypothesis import strategies as st

from assignors.streams.application import (
    RUNNING,
    ClassicSubtopology,
    Instance,
    StreamsApplication,
    StreamsSettings,
    StreamsThread,
)
from assignors.streams.tasks import Task


@st.composite
def applications(draw: st.DrawFn, *, fresh: bool = False) -> StreamsApplication:
    """Draw an application whose threads run tasks, none twice, and have state on their disks."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    topics = {f"t{at}": size for at, size in enumerate(sizes)}
    subtopologies = [
        ClassicSubtopology(at, [name], draw(st.booleans())) for at, name in enumerate(topics)
    ]
    settings = StreamsSettings(
        standbys=draw(st.integers(0, 2)),
        warmups=draw(st.integers(1, 4)),
        recovery_lag=draw(st.sampled_from([0, 100, 10_000])),
        tags=draw(st.sampled_from([(), ("zone",)])),
    )
    processes = draw(st.lists(st.uuids(), min_size=1, max_size=5, unique=True))
    names = [
        [f"shop-{process}-StreamThread-{at}-consumer" for at in range(draw(st.integers(1, 3)))]
        for process in processes
    ]
    bare = StreamsApplication(
        topics,
        subtopologies,
        [
            Instance(
                str(process), [StreamsThread(each) for each in threads], {"zone": draw(_ZONES)}
            )
            for process, threads in zip(processes, names, strict=True)
        ],
        settings=settings,
    )
    ends = {task: draw(st.sampled_from([0, 50, 20_000])) for task in bare.stateful}
    if fresh:
        return _with(bare, {}, {}, ends)
    threads = [each for listed in names for each in listed]
    runs = {task: draw(st.sampled_from([None, *threads])) for task in bare.tasks}
    on_disk = {
        (draw(st.sampled_from(threads)), task): draw(st.integers(0, 20_000))
        for task in bare.stateful
        if draw(st.booleans())
    }
    return _with(bare, runs, on_disk, ends)


_ZONES = st.sampled_from(["a", "b"])


def _with(
    bare: StreamsApplication,
    runs: dict[Task, str | None],
    on_disk: dict[tuple[str, Task], int],
    ends: dict[Task, int],
) -> StreamsApplication:
    with_state = set(bare.stateful)
    instances = []
    for instance in bare.instances:
        threads = []
        here = {each.id for each in instance.threads}
        ran_here = {task for task, thread in runs.items() if thread in here}
        for each in instance.threads:
            owned = frozenset(task for task, thread in runs.items() if thread == each.id)
            sums = {
                task: value
                for (thread, task), value in on_disk.items()
                if thread == each.id and task not in ran_here
            }
            sums |= dict.fromkeys(owned & with_state, RUNNING)
            threads.append(StreamsThread(each.id, owned, sums))
        instances.append(instance._replace(threads=threads))
    return StreamsApplication(bare.topics, bare.subtopologies, instances, ends, bare.settings)
