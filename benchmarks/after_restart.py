"""What the example becomes after a restart, drawn apart from the page, beside what the page states.

``python -m benchmarks.after_restart [DRAWS]`` (by default 300): every consumer of the example gets
a new member id, as Kafka's Java client makes it; the group is built again from its records and each
strategy assigns. When the last one of the first restart is away, the others start from nothing;
then it is back, and in the second restart each leaves and comes back, with what the others own.
Nothing of ``evaluation.comparing.outlook`` and ``evaluation.rebalance`` is used for that.
"""

import random
import sys
from uuid import uuid4

import numpy as np

from assignors.catalogue import strategy_called
from assignors.model import Group
from assignors.naming import member_records, topic_records
from assignors.numbering import Member, group_of
from assignors.strategy import Sees, Strategy
from evaluation.comparing.outlook import outlook, range_of
from evaluation.metrics import lag_per_member
from evaluation.wording import without_uuid
from sources import samples

STRATEGIES = ("range", "sticky", "cooperative-sticky", "roundrobin", "load-sticky")
_USUAL_DRAWS = 300
_RANGE = (5, 50, 95)
_CERTAIN = 1.03
"""Percentiles of a few hundred draws differ by this much from one time to the next."""


def restarted(group: Group, strategy: Strategy) -> Group:
    """Return the group from its records after two rolling restarts that it notices.

    Java numbers the consumers of a process as they start, so the numbers are dealt anew.
    """
    members = member_records(group)
    names = random.sample([without_uuid(member.id) for member in members], len(members))
    members = [
        _back(member._replace(id=f"{name}-{uuid4()}"))
        for member, name in zip(members, names, strict=True)
    ]
    topics, (last,) = topic_records(group), random.sample(members, 1)
    members = _assigned(group_of(topics, [m for m in members if m.id != last.id]), strategy)
    members = _assigned(group_of(topics, [*members, last]), strategy)
    for one in random.sample(members, len(members)) if Sees.OWNERS in strategy.sees else []:
        rest = [member for member in members if member.id != one.id]
        members = _assigned(group_of(topics, rest), strategy)
        again = _back(one._replace(id=f"{without_uuid(one.id)}-{uuid4()}"))
        members = _assigned(group_of(topics, [*members, again]), strategy)
    return group_of(topics, members)


def _back(member: Member) -> Member:
    return member._replace(owned=[], generation=None)


def _assigned(group: Group, strategy: Strategy) -> list[Member]:
    """Return the members with what the strategy gives them."""
    return member_records(group.owned_by(strategy.settle(group), 1))


def drawn(group: Group, strategy: Strategy, draws: int) -> tuple[int, int, int]:
    """Return the 5th, 50th and 95th percentile of the busiest consumer's lag after a restart."""
    lags = []
    for _ in range(draws):
        again = restarted(group, strategy)
        lags.append(int(lag_per_member(again, again.present_owners).max()))
    low, middle, high = np.percentile(lags, _RANGE, method="nearest")
    return int(low), int(middle), int(high)


def main() -> int:
    """Print the table; return 1 if a median lies outside the range that the page states."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else _USUAL_DRAWS
    group = samples.load("orders").group
    print(f"busiest consumer of the first example, records; {draws:,} restarts each")
    print(f"{'':22}{'next rebalance':>16}{'drawn: median':>16}{'5 to 95 %':>20}{'stated':>26}")
    outside = 0
    for strategy in map(strategy_called, STRATEGIES):
        today = int(lag_per_member(group, strategy.settle(group)).max())
        low, middle, high = drawn(group, strategy, draws)
        stated = outlook(group, strategy)
        least, most = range_of(stated.max_lags)
        is_inside = least / _CERTAIN <= middle <= most * _CERTAIN
        outside += not is_inside
        said = f"{int(np.median(stated.max_lags)):,} ({least:,} to {most:,})"
        span = f"{low:,} to {high:,}"
        print(
            f"{strategy.name:22}{today:>16,}{middle:>16,}{span:>20}{said:>26}"
            f"{'' if is_inside else '  outside'}"
        )
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
