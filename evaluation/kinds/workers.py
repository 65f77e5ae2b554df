"""What a rebalance brings the workers of a Connect cluster."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final
from uuid import NAMESPACE_OID, uuid5

from assignors.certainty import joined
from assignors.connect.cluster import (
    PREFIX,
    ConnectCluster,
    ConnectorTask,
    ConnectRound,
    Leader,
    Worker,
)
from assignors.connect.incremental import incremental
from assignors.connect.rounds import rounds_of
from assignors.connect.strategies import INCREMENTAL
from assignors.placements import Placement
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

IF_ALL_UP: Final = "if these are all workers, and up"
"""REST lists a lost worker's tasks as running, and no worker that runs nothing."""
IF_LEADER_STAYS: Final = "if the leading worker stays"
LEADER_STAYS: Final = (
    "The leading worker is taken to stay; if it is the one that leaves, its work and all else that "
    "nobody runs is placed at once."
)
PROTOCOL: Final = "connect.protocol is taken to be the default, sessioned."
DELAY: Final = "scheduled.rebalance.max.delay.ms is taken to be {delay:,}."


def workers_forecast(cluster: ConnectCluster, what_if: OtherMembers = NO_CHANGE) -> Forecast:
    """Return which worker runs which connectors and tasks, now and once all rounds are played.

    Raises UnknownMemberError.
    """
    require_known(what_if.without, {_name(each.id) for each in cluster.workers})
    stay = [each for each in cluster.workers if _name(each.id) not in what_if.without]

    def answer(draw: int) -> tuple[ConnectCluster, tuple[Stage, ...]]:
        new = [f"{PREFIX}{uuid5(NAMESPACE_OID, f'{draw} {at}')}" for at in range(what_if.more)]
        labels = {each.id: _name(each.id) for each in stay}
        labels |= {each: f"new-{at + 1}" for at, each in enumerate(new)}
        leader = Leader() if what_if.is_leader else cluster.leader
        asked = replace(cluster, workers=[*stay, *map(Worker, new)], leader=leader)
        return asked, _stages(rounds_of(asked, incremental), labels)

    asked, stages = answer(0)
    then, waited_s = stages[-1].held, stages[-1].at_s
    certainty = INCREMENTAL.certainty_for(asked)
    if what_if.more:
        certainty = drawn_certainty(lambda draw: counts(answer(draw)[1][-1].held))
    anew = rounds_of(replace(asked, leader=Leader()), incremental)[-1][1]
    is_alike = {_name(each): _held(work) for each, work in anew.holds.items()} == then
    return Forecast(
        INCREMENTAL.name,
        certainty.on(
            joined(
                IF_LEADER_STAYS if what_if.without and not (is_alike or what_if.is_leader) else "",
                "" if cluster.is_as_reported else IF_ALL_UP,
            )
        ),
        {_name(each.id): _held(each.holds) for each in cluster.workers},
        then,
        (
            PROTOCOL,
            *([DELAY.format(delay=cluster.max_delay_ms)] if what_if.without or waited_s else []),
            *([LEADER_STAYS] if what_if.without and not what_if.is_leader else []),
        ),
        len(stages),
        waited_s,
        stages=stages,
    )


def _stages(
    rounds: Sequence[tuple[ConnectCluster, ConnectRound]], labels: Mapping[str, str]
) -> tuple[Stage, ...]:
    """Return rounds by the names of workers."""
    begin_ms, cause, stages = rounds[0][0].now_ms, RoundCause.CHANGE, []
    for cluster, found in rounds:
        held = {name: _held(found.holds[worker]) for worker, name in labels.items()}
        steps = steps_of(partial(_placements, found), labels)
        stages.append(Stage(cause, (cluster.now_ms - begin_ms) / 1000, held, steps))
        cause = RoundCause.GIVEN_UP if found.is_followed_at_once else RoundCause.DELAY
    return tuple(stages)


def _placements(found: ConnectRound) -> Sequence[Placement]:
    return found.placements


def _name(worker: str) -> str:
    return worker.removeprefix(PREFIX)


def _held(work: Sequence[ConnectorTask]) -> Held:
    return {
        "connectors": [each.name for each in sorted(work) if each.is_connector],
        "tasks": [each.name for each in sorted(work) if not each.is_connector],
    }
