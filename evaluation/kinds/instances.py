"""What rebalances bring a Streams application on the classic protocol."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, islice
from typing import Final
from uuid import NAMESPACE_OID, uuid5

from assignors.certainty import Certainty, joined
from assignors.streams.application import (
    ANY_LAG,
    Instance,
    StreamsApplication,
    StreamsRound,
    StreamsThread,
)
from assignors.streams.rounds import (
    classic_round,
    probing_rounds,
    rounds_at_once,
    rounds_until_balanced,
)
from assignors.streams.strategies import HIGH_AVAILABILITY
from assignors.streams.tasks import MemberTasks, Task
from evaluation.kinds.forecast import (
    NO_CHANGE,
    Forecast,
    Held,
    OtherMembers,
    RoundCause,
    Stage,
    counts,
    drawn_certainty,
    require_known,
    steps_of,
)
from evaluation.kinds.tasks import held_of, task_names

ASSIGNOR: Final = "task.assignor.class and rack.aware.assignment.strategy are taken not to be set."
WARMUPS: Final = (
    "max.warmup.replicas is taken to be {warmups}, acceptable.recovery.lag {recovery_lag:,}, the "
    "probing.rebalance.interval.ms {probing_ms:,}, and each warm-up to be restored by then."
)
STATE: Final = (
    "State is taken to lie only where a task runs, and to be too far behind elsewhere: copies and "
    "offsets stand in no tool's output."
)


REPORTED: Final = (
    "Copies that threads were assigned are taken to be caught up, and state that none was assigned "
    "where its report is the newest: which changelogs a task has is not told without the topology."
)
READ_ENDS: Final = (
    "The ends of the changelogs are read; copies that threads were assigned are taken to be caught "
    "up, and other state to be as reported at the last rebalance."
)


def instances_forecast(
    application: StreamsApplication, what_if: OtherMembers = NO_CHANGE
) -> Forecast:
    """Return which thread runs what now, after the rebalance, and once all warm-ups are through.

    ``then`` is the last; "at_once" what the rebalance itself leads to, and "warming_up" the copies
    that it starts. Raises UnknownMemberError.
    """
    stay = _stay(application, what_if)

    def asked(draw: int) -> StreamsApplication:
        return _with_new(application, stay, what_if, draw)

    new = asked(0)
    rounds, at_once = rounds_until_balanced(new), rounds_at_once(new)
    homes = {t.id: each.process for each in application.instances for t in each.threads}
    homes |= {t.id: _home(each, stay, t.id) for each in new.instances for t in each.threads}
    is_stateful = bool(application.stateful)
    condition = f"if num.standby.replicas is {application.settings.standbys}" if is_stateful else ""
    return Forecast(
        HIGH_AVAILABILITY.name,
        _certainty(asked, is_drawn=bool(what_if.more)).on(joined(condition)),
        {
            each.id: held_of(MemberTasks(each.owned, each.standby))
            for each in _threads(application.instances)
        },
        _held(rounds[-1][1].target),
        tuple(_taken_for_granted(application)),
        len(at_once),
        more={
            "at_once": {name: dict(held) for name, held in _held(at_once[-1][1].sent).items()},
            "warming_up": _warming_up(at_once[-1][1]),
            "probing_rebalances": probing_rounds(rounds),
            "instances": {
                each.process: [thread.id for thread in each.threads] for each in new.instances
            },
        },
        stages=_stages(rounds, _processes(new, homes)),
        homes=homes,
    )


def _stay(application: StreamsApplication, what_if: OtherMembers) -> list[Instance]:
    """Return the instances that stay, without the threads that leave and with new ones."""
    known = {name for each in application.instances for name in _names_of(each)}
    require_known(what_if.without, known)
    gone = set(what_if.without)
    stay = [
        each._replace(threads=[t for t in each.threads if t.id not in gone])
        for each in application.instances
        if each.process not in gone
    ]
    return [_with_more(each, what_if.threads) for each in stay if each.threads]


def _with_new(
    application: StreamsApplication, stay: Sequence[Instance], what_if: OtherMembers, draw: int
) -> StreamsApplication:
    """Return the application with those that stay, and new instances of the usual size."""
    usual = Counter(len(each.threads) for each in application.instances).most_common(1)
    threads = (usual[0][0] if usual else 1) + what_if.threads
    new = [_new(draw, at, threads) for at in range(what_if.more)]
    return replace(application, instances=[*stay, *new])


def _certainty(asked: Callable[[int], StreamsApplication], *, is_drawn: bool) -> Certainty:
    """Return how certain the last of the rounds is, with the ids of new instances drawn."""
    if not is_drawn:
        return HIGH_AVAILABILITY.certainty_for(asked(0))

    def balanced(draw: int) -> Mapping[str, Held]:
        application = asked(draw)
        restored = application.settings._replace(recovery_lag=ANY_LAG)
        return _held(classic_round(replace(application, settings=restored)).target)

    return drawn_certainty(lambda draw: counts(balanced(draw)))


def _taken_for_granted(application: StreamsApplication) -> Iterator[str]:
    """Yield what no tool tells of the application, and what is taken for it."""
    yield ASSIGNOR
    if not application.stateful:
        return
    if application.is_as_reported or not application.knows_offsets:
        yield _state_said(application)
    yield WARMUPS.format(**application.settings._asdict())


def _state_said(application: StreamsApplication) -> str:
    """Return what is taken for the state of copies."""
    if application.is_as_reported:
        return READ_ENDS
    is_told = any(each.standby for each in _threads(application.instances))
    return REPORTED if is_told else STATE


def _stages(
    rounds: Sequence[tuple[StreamsApplication, StreamsRound]], homes: Mapping[str, str]
) -> tuple[Stage, ...]:
    """Return the rounds, of which probing ones come an interval after those before."""
    at_s, cause, stages = 0.0, RoundCause.CHANGE, []
    steps = HIGH_AVAILABILITY.steps
    for application, found in rounds:
        at_s += application.settings.probing_ms / 1000 * (cause is RoundCause.PROBING)
        held = {
            thread.id: _with_warmups(found.sent[thread.id], found.warmups[each.process])
            for each in application.instances
            for thread in each.threads
        }
        stages.append(Stage(cause, at_s, held, steps_of(partial(steps, application), homes)))
        cause = RoundCause.GIVEN_UP if found.is_followed_at_once else RoundCause.PROBING
    return tuple(stages)


def _processes(application: StreamsApplication, homes: Mapping[str, str]) -> Mapping[str, str]:
    """Return what instances are called; a new one's process id is drawn."""
    return {e.process: homes[e.threads[0].id] for e in application.instances if e.threads}


def _with_warmups(tasks: MemberTasks, warmups: frozenset[Task]) -> Held:
    return {
        "active": task_names(tasks.active),
        "standby": task_names(tasks.standby - warmups),
        "warm-up": task_names(tasks.standby & warmups),
    }


def _with_more(instance: Instance, more: int) -> Instance:
    """Return the instance with further threads, named as Streams does."""
    prefix = instance.threads[0].id.partition("-StreamThread-")[0]
    used = {each.id.partition("-StreamThread-")[2].partition("-")[0] for each in instance.threads}
    free = (number for number in count(1) if str(number) not in used)
    names = (f"{prefix}-StreamThread-{number}-consumer" for number in islice(free, more))
    return instance._replace(threads=[*instance.threads, *map(StreamsThread, names)])


def _home(instance: Instance, stay: Sequence[Instance], thread: str) -> str:
    """Return an instance's process id; a new one, whose is random, is "new-1" and so on."""
    is_there = any(each.process == instance.process for each in stay)
    return instance.process if is_there else thread.partition("-StreamThread-")[0]


def _names_of(instance: Instance) -> list[str]:
    return [instance.process, *(each.id for each in instance.threads)]


def _threads(instances: Iterable[Instance]) -> Iterable[StreamsThread]:
    return (thread for each in instances for thread in each.threads)


def _new(draw: int, at: int, threads: int) -> Instance:
    process = str(uuid5(NAMESPACE_OID, f"instance {draw} {at}"))
    names = [f"new-{at + 1}-StreamThread-{thread + 1}-consumer" for thread in range(threads)]
    return Instance(process, [StreamsThread(name) for name in names])


def _warming_up(found: StreamsRound) -> dict[str, list[str]]:
    return {process: task_names(tasks) for process, tasks in found.warmups.items() if tasks}


def _held(members: Mapping[str, MemberTasks]) -> Mapping[str, Held]:
    return {name: held_of(tasks) for name, tasks in members.items()}
