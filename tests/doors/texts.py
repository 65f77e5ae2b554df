"""Texts as kafka-consumer-groups --describe prints them, of groups whose truth is known."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

_HEADER = (
    "GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG        "
    "CONSUMER-ID                                        HOST            CLIENT-ID"
)
_UUIDS = "0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be{:02x}"
MINUTE_S = 60.0


class Flow(NamedTuple):
    """One partition: who owns it, how far it is, and how both move in a second."""

    owner: int | None
    committed: int
    lag: int
    arriving: float = 0.0
    read: float = 0.0

    def after(self, seconds: float) -> "Flow":
        """Return it this much later."""
        end = self.committed + self.lag + round(self.arriving * seconds)
        committed = min(self.committed + round(self.read * seconds), end)
        return self._replace(committed=committed, lag=end - committed)


def describe(
    flows: Sequence[Flow],
    *,
    group: str = "clicks",
    topic: str = "clickstream",
    member: Callable[[int], str] = lambda k: f"worker-{k}-{_UUIDS.format(k)}",
    date: str = "",
) -> str:
    """Return one output of the tool; with the line that ``date`` prints above, if given."""
    lines = [date] if date else []
    lines += ["", _HEADER]
    for number, flow in enumerate(flows):
        end = flow.committed + flow.lag
        who = ("-", "-", "-")
        if flow.owner is not None:
            who = member(flow.owner), f"/10.0.3.{20 + flow.owner}", f"worker-{flow.owner}"
        lines.append(
            f"{group:<15} {topic:<15} {number:<10} {flow.committed:<15} {end:<15} {flow.lag:<10} "
            f"{who[0]:<50} {who[1]:<15} {who[2]}"
        )
    return "\n".join([*lines, ""])


def snapshots(
    flows: Sequence[Flow], *, dated: bool, count: int = 2, apart_s: float = MINUTE_S
) -> str:
    """Return outputs one below the other, a minute apart; with the dates above, or without."""
    texts = []
    for k in range(count):
        seconds = k * apart_s
        minute, second = divmod(10 * 60 + round(seconds), 60)
        date = f"Mon Nov 23 03:{minute:02d}:{second:02d} UTC 2026" if dated else ""
        texts.append(describe([flow.after(seconds) for flow in flows], date=date))
    return "\n".join(texts)


def three_stopped() -> list[Flow]:
    """Eight workers of three partitions at 50/s each; workers 2, 5 and 6 have stopped."""
    return [
        Flow(k // 3 + 1, 100_000 + 977 * k, 300_000 + k, 50.0)
        if k // 3 + 1 in {2, 5, 6}
        else Flow(k // 3 + 1, 400_000 + 977 * k, 40 + k, 50.0, 50.0)
        for k in range(24)
    ]


def hot_partition() -> list[Flow]:
    """Eight workers of three partitions at 50/s; of partition 7, 600/s of 900/s are read."""
    flows = [Flow(k // 3 + 1, 400_000 + 977 * k, 20 + k, 50.0, 50.0) for k in range(24)]
    flows[7] = Flow(3, 1_000_000, 4_820_000, 900.0, 600.0)
    flows[6] = Flow(3, 400_000, 500, 50.0, 50.0)
    flows[8] = Flow(3, 400_000, 480, 50.0, 50.0)
    return flows


def healthy() -> list[Flow]:
    """Eight workers of three partitions, each of which gets and reads 50/s."""
    return [Flow(k // 3 + 1, 400_000 + 977 * k, 12 + k % 5, 50.0, 50.0) for k in range(24)]


def uneven() -> list[Flow]:
    """Four workers, of which the first owns the busy topics' half; nothing is known of rates."""
    lags = (9_000, 8_000, 8_500, 7_500, 300, 250, 400, 350, 200, 150, 100, 50)
    return [Flow(k // 3 + 1, 50_000 + k, lag) for k, lag in enumerate(lags)]


def dead() -> list[Flow]:
    """No worker is left."""
    return [Flow(None, 10_000 + k, 5_000 + 10 * k, 20.0) for k in range(6)]


def full() -> list[Flow]:
    """Three workers of four partitions: 60/s arrive in each, and each worker reads 150/s in all."""
    return [Flow(k // 4 + 1, 10_000, 90_000 + k, 60.0, 37.5) for k in range(12)]


ALL: Final = (three_stopped, hot_partition, healthy, uneven, dead, full)
"""Every group above."""
