"""A day of a group under autoscalers' rules: ``python -m benchmarks.autoscaling``.

24 h in steps of a minute, 500 partitions, each profile; the goal is ten rules in 10 s.
"""

from time import process_time

import numpy as np

from assignors.model import Group
from evaluation.autoscaling.comparison import candidates, run_candidate
from evaluation.autoscaling.replay import Conditions
from evaluation.autoscaling.workloads import Profile, day

_PARTITIONS = 500
_CONSUMERS = 20


def main() -> None:
    """Print a table for each profile: what each rule led to, and how long its replay took."""
    rates = np.random.default_rng(20160411).lognormal(0, 0.7, _PARTITIONS)
    rates *= 5000 / rates.sum()
    owners = np.arange(_PARTITIONS) % _CONSUMERS
    ids = [f"consumer-{number:02}" for number in range(_CONSUMERS)]
    group = Group.of(["orders"], [_PARTITIONS], ids, owners=owners, rates=rates)
    conditions = Conditions(speed=300.0, allowed_s=300.0)
    for profile in Profile:
        workload = day(rates, np.zeros(_PARTITIONS), profile)
        print(f"\n{profile.value}: {_PARTITIONS} partitions, 24 h in steps of 60 s")
        begun, rules = process_time(), candidates(group, conditions)
        for rule in rules:
            before = process_time()
            outcome = run_candidate(group, workload, rule, conditions)
            late = outcome.minutes_late(conditions.allowed_s)
            print(
                f"  {rule.name:38} {outcome.consumer_hours:7,.0f} consumer-hours, "
                f"{int(outcome.moved.sum()):7,} moves, {late:5,.0f} min late, "
                f"{process_time() - before:.2f} s"
            )
        print(f"  {len(rules)} rules: {process_time() - begun:.1f} s of processor time")


if __name__ == "__main__":
    main()
