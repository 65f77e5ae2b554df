"""Why a consumer cannot keep up with one partition, and what ends that."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group
from charts.labels import short_names
from evaluation.answering.answer import Answer
from evaluation.answering.verdicts import Verdict
from evaluation.consumer_labels import bare_labels
from evaluation.measuring.partition_times import PartitionTimes
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import duration, plural, rate_amount
from ui.picture.model import FactTable, RateStack, StackChart, StackPart, TableHead

_NARROW: Final = 0.12
"""Parts below this share of the longest bar have no room for a label."""


class _OwnerRates(NamedTuple):
    """Records/s of the consumer that owns a hot partition: of that one, and of its others."""

    hot: int
    owner: int
    arrives: float
    reads: float
    beside: float
    read_beside: float
    has_others: bool

    @property
    def gets(self) -> float:
        return self.arrives + self.beside

    @property
    def read(self) -> float:
        return self.reads + self.read_beside


def _owner_rates(group: Group, times: PartitionTimes, verdict: Verdict) -> _OwnerRates | None:
    """Return the rates of the owner of the busiest of the verdict's partitions; None if unknown."""
    hot = max(verdict.partitions, key=lambda p: float(np.nan_to_num(times.produced[p])))
    owner = int(group.present_owners[hot])
    if owner == UNOWNED or np.isnan(times.produced[hot]) or np.isnan(times.consumed[hot]):
        return None
    others = np.flatnonzero(group.present_owners == owner)
    others = others[others != hot]
    if (np.isnan(times.consumed[others]) & (times.produced[others] > 0)).any():
        return None
    return _OwnerRates(
        hot,
        owner,
        arrives=float(times.produced[hot]),
        reads=float(times.consumed[hot]),
        beside=float(np.nansum(times.produced[others])),
        read_beside=float(np.nansum(times.consumed[others])),
        has_others=bool(others.size),
    )


def why_too_hot(group: Group, times: PartitionTimes, verdict: Verdict) -> StackChart | None:
    """Return the rates of the consumer of the busiest of the verdict's partitions, as stacks.

    None unless a hot partition is the verdict, it has an owner, rates are the texts' own, and all
    that the owner reads is known.
    """
    if verdict.kind is not VerdictKind.TOO_HOT or times.is_approximate:
        return None
    rates = _owner_rates(group, times, verdict)
    if rates is None:
        return None
    name, rest = group.partition_name(rates.hot), "other"
    top = max(rates.gets, rates.read)
    stacks = [
        RateStack(
            caption=f"It reads {rate_amount(rates.read)}/s:",
            parts=_parts(top, [(rates.reads, name, "load"), (rates.read_beside, rest, "now")]),
        ),
        RateStack(
            caption=f"It gets {rate_amount(rates.gets)}/s:",
            parts=_parts(top, [(rates.arrives, name, "alarm"), (rates.beside, rest, "now")]),
            limit=rates.read,
        ),
    ]
    below, alone = "Red line: its read rate.", verdict.figures.alone_per_s
    if alone is not None and rates.has_others:
        stacks.append(
            RateStack(
                caption=f"With {name} alone, it would read {rate_amount(alone)}/s "
                f"of {rate_amount(rates.arrives)}/s:",
                parts=_parts(top, [(alone, name, "load")]),
                limit=rates.arrives,
            )
        )
        below = "Red line: its read rate; in the last bar, the arrival rate."
    return StackChart(
        title=f"Why {short_names(bare_labels(group))[rates.owner]} cannot keep up",
        note="records/s",
        stacks=tuple(stacks),
        below=below,
    )


def what_ends_it(answer: Answer) -> FactTable | None:
    """Return what ends the backlog of hot partitions, and what does not; None of other verdicts."""
    found, remedy = answer.verdict, answer.proposal
    alone, arrives = found.figures.alone_per_s, found.figures.arriving_per_s
    if found.kind is not VerdictKind.TOO_HOT or remedy is None or remedy.caught_up_s is None:
        return None
    usual, are = found.figures.usual_per_s, plural(len(found.partitions), "partition")
    one = len(found.partitions) == 1
    where = answer.group.partition_name(found.partitions[0]) if one else are
    rows = [
        (
            f"Split the {'key' if one else 'keys'} of {where}",
            f"in {duration(remedy.caught_up_s)}, if {rate_amount(usual or 0)}/s stay there",
            "a change of the producer",
        )
    ]
    if one and alone and arrives:
        faster = f"if they read over {rate_amount(arrives)}/s of it, not {rate_amount(alone)}"
        rows.append(("Faster consumers", faster, "a change of the consumer"))
    ends = [option.ends_s for option in answer.strategies]
    if ends and all(each == np.inf for each in ends):
        rows.append(("Any assignor, any number of consumers", "never", ""))
    return FactTable(
        title="What ends it",
        heads=(
            TableHead(label="Choice"),
            TableHead(label="Catches up"),
            TableHead(label="Takes", is_on_phone=False),
        ),
        rows=tuple(rows),
        causes=(False,) * len(rows),
    )


def _parts(top: float, said: Sequence[tuple[float, str, str]]) -> tuple[StackPart, ...]:
    return tuple(
        StackPart(
            label=f"{rate_amount(value)} {name}" if value >= _NARROW * top else "",
            value=value,
            kind=kind,
        )
        for value, name, kind in said
        if value > 0
    )
