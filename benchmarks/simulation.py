"""Consumers that restart while uneven rates drift: what each strategy makes of the same hours.

``python -m benchmarks.simulation [--seeds N]`` prints a table as Markdown. Every strategy meets the
same consumers of set speeds, the same Pareto-distributed rates, which drift, and the same restarts.
Lag is a fluid (``evaluation.fluid``); what a rebalance takes from a consumer stands still
for some seconds, under an eager protocol everything does.
"""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, FloatArray, Group, LongArray, Owners
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol, Strategy
from benchmarks.measuring import markdown
from evaluation.fluid import Flow, advanced

_PARTITIONS: Final = 48
_CONSUMERS: Final = 8
_TAIL: Final = 1.2
"""The exponent of the Pareto distribution of rates: a few partitions carry most."""
_HOTTEST: Final = 0.7
"""The most that one partition gets, as a share of a consumer's speed: no strategy splits one."""
_TOTAL_RATE: Final = 10_000.0
_STEP_S: Final = 5.0
_STEPS: Final = 2_880
"""Four hours."""
_RESTART_EVERY_S: Final = 600.0
_AWAY_S: Final = 60.0
_PAUSE_S: Final = 5.0
_DRIFT: Final = 0.2
"""The standard deviation of each rate's logarithm, at each restart."""
_HORIZON_S: Final = 300.0
BUSY: Final = (0.6, 0.75)
"""What arrives, as a share of what all consumers can read."""

Load = Callable[[FloatArray, FloatArray], FloatArray]
"""The load of each partition from lag and rate."""


class Contestant(NamedTuple):
    """A strategy, and what it takes for the load of a partition."""

    name: str
    strategy: Strategy
    load: Load


CONTESTANTS: Final = (
    *(
        Contestant(name, STRATEGIES[name], lambda lag, _: lag)
        for name in ("range", "cooperative-sticky", "uniform-kafka-18688")
    ),
    *(
        Contestant(f"load-sticky by {what}", STRATEGIES["load-sticky"], load)
        for what, load in (
            ("lag", lambda lag, _: lag),
            ("rate", lambda _, rate: rate * _HORIZON_S),
            ("lag + arrivals of 5 min", lambda lag, rate: lag + rate * _HORIZON_S),
        )
    ),
)


@dataclass
class Played:
    """What one contestant made of one history."""

    above: float
    """The share of time in which more arrives for some consumer than it can read."""
    worst_s: float
    """The largest time lag of any partition: its lag over its rate."""
    mean_s: float
    """Time lag, as a mean over time, weighted by rate."""
    moves: float
    """Partitions a rebalance takes from a consumer that stays."""


class _Fleet:
    """The consumers, the rates and the lags of one history; the same draws for everybody."""

    def __init__(self, seed: int, busy: float) -> None:
        self.random = np.random.default_rng(seed)
        self.speeds = np.full(_CONSUMERS, _TOTAL_RATE / busy / _CONSUMERS)
        self.rates = self._scaled(self.random.pareto(_TAIL, _PARTITIONS) + 1)
        self.lags = np.zeros(_PARTITIONS)
        self.ids = [f"{self.random.integers(1 << 32):08x}" for _ in range(_CONSUMERS)]
        self.is_there = np.ones(_CONSUMERS, np.bool_)
        self.owners = np.full(_PARTITIONS, UNOWNED, np.int32)
        """The consumer, by number, that reads each partition."""

    def drift(self) -> None:
        self.rates = self._scaled(self.rates * np.exp(self.random.normal(0, _DRIFT, _PARTITIONS)))

    def _scaled(self, shares: FloatArray) -> FloatArray:
        """Return rates of the total, none above what one consumer can read with some to spare."""
        most, rates = _HOTTEST * self.speeds[0], shares
        for _ in range(_PARTITIONS):
            rates = np.minimum(rates * _TOTAL_RATE / rates.sum(), most)
        return rates

    def group(self, load: Load) -> tuple[Group, LongArray]:
        """Return the group as its leader sees it, and the consumer of each of its members."""
        present = np.flatnonzero(self.is_there)
        order = present[np.argsort([self.ids[c] for c in present])]
        number = np.full(_CONSUMERS + 1, UNOWNED)
        number[order] = np.arange(order.size)
        loads = np.round(load(self.lags, self.rates)).astype(np.int64)
        ids = [self.ids[c] for c in order]
        group = Group.of(["t"], [_PARTITIONS], ids, owners=number[self.owners], lags=loads)
        return group, order

    def time_lags(self) -> FloatArray:
        return self.lags / self.rates

    def is_above(self) -> bool:
        held = self.owners != UNOWNED
        arriving = np.bincount(self.owners[held], self.rates[held], _CONSUMERS)
        return bool((arriving > self.speeds * (1 + 1e-9))[self.is_there].any())


def simulated(contestant: Contestant, seed: int, busy: float) -> Played:
    """Play one history; ``busy`` is the share of all consumers' capacity that arrives."""
    fleet, pauses = _Fleet(seed, busy), np.zeros(_PARTITIONS)
    moves: list[int] = []
    above, worst, mean = 0, 0.0, 0.0
    for step in range(_STEPS):
        moves += [
            _rebalanced(fleet, contestant, pauses, is_first=event == "start")
            for event in _events(step * _STEP_S, fleet)
        ]
        reading = np.where(pauses > 0, np.int32(UNOWNED), fleet.owners)
        fleet.lags = advanced(Flow(fleet.lags, fleet.rates, reading, fleet.speeds), _STEP_S)
        pauses = np.maximum(pauses - _STEP_S, 0)
        above += fleet.is_above()
        worst = max(worst, float(fleet.time_lags().max()))
        mean += float((fleet.time_lags() * fleet.rates).sum() / _TOTAL_RATE)
    return Played(above / _STEPS, worst, mean / _STEPS, float(np.mean(moves[1:])))


def _events(at_s: float, fleet: _Fleet) -> Iterator[str]:
    """Let consumers leave and come back under a new id; yield each rebalance that follows."""
    if at_s == 0:
        yield "start"
    since = at_s % _RESTART_EVERY_S
    restarting = int(at_s // _RESTART_EVERY_S) % _CONSUMERS
    if at_s >= _RESTART_EVERY_S and since == 0:
        fleet.drift()
        fleet.is_there[restarting] = False
        fleet.owners[fleet.owners == restarting] = UNOWNED
        yield "leave"
    if at_s >= _RESTART_EVERY_S and since == _AWAY_S:
        fleet.is_there[restarting] = True
        fleet.ids[restarting] = f"{fleet.random.integers(1 << 32):08x}"
        yield "join"


def _rebalanced(
    fleet: _Fleet, contestant: Contestant, pauses: FloatArray, *, is_first: bool
) -> int:
    """Assign anew, pause what the protocol pauses, and return the moves."""
    before = fleet.owners
    group, members = fleet.group(contestant.load)
    target: Owners = members[contestant.strategy.settle(group)].astype(np.int32)
    is_taken = (before != UNOWNED) & (before != target)
    is_eager = contestant.strategy.protocol is Protocol.EAGER
    if not is_first:
        pauses[is_taken | is_eager] = _PAUSE_S
    fleet.owners = target
    return int(np.count_nonzero(is_taken))


def rows(seeds: Sequence[int]) -> Iterator[dict[str, float | str]]:
    """Yield the medians over these histories, a row for each contestant and load of the group."""
    for busy in BUSY:
        for contestant in CONTESTANTS:
            found = [simulated(contestant, seed, busy) for seed in seeds]
            yield {
                "busy": busy,
                "strategy": contestant.name,
                "above": round(median(o.above for o in found), 3),
                "worst_s": round(median(o.worst_s for o in found), 1),
                "mean_s": round(median(o.mean_s for o in found), 2),
                "moves": round(median(o.moves for o in found), 1),
            }


def table(found: Iterable[Mapping[str, float | str]], busy: float) -> str:
    """Return the rows of one load of the group as Markdown."""
    return markdown(
        {
            "strategy": f"{row['strategy']}",
            "a consumer above its speed": f"{row['above']:.0%} of the time",
            "worst time lag": f"{row['worst_s']:,.0f} s",
            "mean time lag": f"{row['mean_s']:,.1f} s",
            "moves a rebalance": f"{row['moves']}",
        }
        for row in found
        if row["busy"] == busy
    )


def main() -> None:
    """Print the tables, or what they are made of."""
    parser = ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=16, help="histories to play (default: 16)")
    parser.add_argument("--json", action="store_true", help="as sample_data/simulation.json has it")
    options = parser.parse_args()
    found = list(rows(range(options.seeds)))
    if options.json:
        print(json.dumps(found, indent=1))
        return
    for busy in BUSY:
        print(f"{busy:.0%} of what all consumers can read arrives:\n\n{table(found, busy)}\n")


if __name__ == "__main__":
    main()
