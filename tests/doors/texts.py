"""Texts as kafka-consumer-groups --describe prints them, of groups whose truth is known."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
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


def stuck_record() -> list[Flow]:
    """Four workers of three partitions; partition 4 stands while its worker's others are read."""
    flows = [Flow(k // 3 + 1, 200_000 + k, 15 + k, 40.0, 40.0) for k in range(12)]
    flows[4] = Flow(2, 90_000, 60_000, 40.0)
    return flows


def catching_up() -> list[Flow]:
    """Four workers read twice what arrives; the backlog of each ends in ten minutes."""
    return [Flow(k // 3 + 1, 200_000 + k, 12_000 + k, 20.0, 40.0) for k in range(12)]


def idle() -> list[Flow]:
    """Three workers own a partition each."""
    return [Flow(k + 1, 70_000 + k, 20 + k, 30.0, 30.0) for k in range(3)]


def with_idle(text: str, idle: Sequence[int]) -> str:
    """Return outputs of the tool with a row for each worker that owns no partition, as it prints.

    Such a row has the group's name and the worker's, and dashes in place of the partition.
    """
    group, topic = "clicks", "-"
    rows = [
        f"{group:<15} {topic:<15} {'-':<10} {'-':<15} {'-':<15} {'-':<10} "
        f"{f'worker-{k}-{_UUIDS.format(k)}':<50} {f'/10.0.3.{20 + k}':<15} worker-{k}"
        for k in idle
    ]
    return text.replace(_HEADER, "\n".join([_HEADER, *rows]))


def unread() -> list[Flow]:
    """Two workers read four partitions; nobody owns the other two."""
    flows = [Flow(k // 2 + 1, 80_000 + k, 30 + k, 25.0, 25.0) for k in range(4)]
    return [*flows, *(Flow(None, 10_000, 40_000 + k, 25.0) for k in range(2))]


def too_hot() -> list[Flow]:
    """Four workers of one partition; of the first 2,000/s arrive, and 500/s can be read of it."""
    rest = [Flow(k + 1, 300_000, 25 + k, 60.0, 60.0) for k in range(1, 4)]
    return [Flow(1, 300_000, 5_000_000, 2_000.0, 500.0), *rest]


def one_overloaded() -> list[Flow]:
    """Three workers that read 150/s; the first gets 200/s, and 60/s each of the others."""
    busy = [Flow(1, 20_000, 60_000 + k, 50.0, 37.5) for k in range(4)]
    return [*busy, *(Flow(k // 4 + 2, 20_000 + k, 40, 15.0, 15.0) for k in range(8))]


def of_client(text: str, client_id: str) -> str:
    """Return outputs of the tool whose workers have the ids that another client gives by itself."""
    return re.sub(r"worker-\d+", client_id, re.sub(r"worker-\d+-", f"{client_id}-", text))


_SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_data"
PASTES: Final[Mapping[str, str]] = {
    **{
        f"{flows.__name__}, dated": snapshots(flows(), dated=True)
        for flows in (*ALL, stuck_record, catching_up, unread, too_hot, one_overloaded)
    },
    "idle, dated": with_idle(snapshots(idle(), dated=True), (4, 5)),
    **{
        f"{flows.__name__}, undated": snapshots(flows(), dated=False)
        for flows in (three_stopped, hot_partition, stuck_record, full)
    },
    **{f"{flows.__name__}, one": describe(flows()) for flows in (uneven, healthy, dead)},
    **{
        f"one_overloaded, {client_id}": of_client(
            snapshots(one_overloaded(), dated=True), client_id
        )
        for client_id in ("sarama", "kafkajs")
    },
    "a sample": (_SAMPLES / "describe-orders.txt").read_text(),
}
"""Pastes: pairs with dates and without, single ones, those of other clients, a sample."""
