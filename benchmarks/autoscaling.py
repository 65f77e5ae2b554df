"""Replay a day of a group under autoscaling rules: ``python -m benchmarks.autoscaling``.

Each profile covers 24 h in one-minute steps, with 500 partitions; the goal is ten rules in 10 s.
"""

from functools import partial

import numpy as np

from assignors.model import Group
from benchmarks.measuring import markdown, timed
from evaluation.autoscaling.comparison import candidates, run_candidate
from evaluation.autoscaling.replay import Conditions
from evaluation.autoscaling.workloads import Profile, day

_PARTITIONS = 500
_CONSUMERS = 20


def main() -> None:
    """Print a table per profile with the outcome and the cost of each rule's replay."""
    rates = np.random.default_rng(20160411).lognormal(0, 0.7, _PARTITIONS)
    rates *= 5000 / rates.sum()
    owners = np.arange(_PARTITIONS) % _CONSUMERS
    ids = [f"consumer-{number:02}" for number in range(_CONSUMERS)]
    group = Group.of(["orders"], [_PARTITIONS], ids, owners=owners, rates=rates)
    conditions = Conditions(speed=300.0, allowed_s=300.0)
    for profile in Profile:
        workload = day(rates, np.zeros(_PARTITIONS), profile)
        cost, rules = timed(partial(candidates, group, conditions))
        total_s, rows = cost.cpu_s, []
        for rule in rules:
            cost, outcome = timed(partial(run_candidate, group, workload, rule, conditions))
            total_s += cost.cpu_s
            figures = {
                "consumer-hours": f"{outcome.consumer_hours:,.0f}",
                "moves": f"{outcome.moved.sum():,.0f}",
                "minutes late": f"{outcome.minutes_late(conditions.allowed_s):,.0f}",
                "CPU-seconds": f"{cost.cpu_s:.2f}",
            }
            rows.append({"rule": rule.name} | figures)
        print(f"\n## {profile.value}: {_PARTITIONS} partitions, 24 h in steps of 60 s\n")
        print(f"{markdown(rows)}\n\n{len(rules)} rules: {total_s:.1f} CPU-seconds")


if __name__ == "__main__":
    main()
