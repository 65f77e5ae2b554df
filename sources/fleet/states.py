"""What is the matter with groups at their last snapshots, and what the rule refuses them then."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.engine import Brief
from evaluation.answering.fields import fields_of
from evaluation.answering.fields.names import Fields
from evaluation.answering.given import Given
from evaluation.answering.verdicts import Verdict
from evaluation.answering.why_not import WhyNot
from evaluation.diagnosis.findings import hindering
from schemas.tables import AS_IT_WAS
from sources.asking import given_of
from sources.fleet.ranking import PROPOSED, Refusals, ranked
from sources.fleet.snapshot import last_snapshots
from sources.fleet.tables import Fleet
from sources.fleet.totals import KEYS, latest

LOOKED_AT: Final = 50
"""The most groups to look at, those with most load at their last snapshots: each takes 0.2 s."""
MOST_PARTITIONS: Final = 20_000
"""The most partitions that they may have together: a group of thousands takes seconds."""
Key: TypeAlias = tuple[str, str]
"""A cluster and a group."""


@dataclass(frozen=True, kw_only=True)
class State:
    """A group at its last snapshot, by the answer that its own page gives."""

    verdict: Verdict
    action: Action | None
    """What is proposed then; None if nothing."""
    strategy: str | None
    """The one to switch to, if that is proposed then."""
    runs: str | None
    """The strategy that the group runs, as far as that is known."""
    ends_s: float
    """When the backlog has ended under the present owners; infinite if never, NaN if unknown."""
    refused: Mapping[str, WhyNot]
    """Which of the fleet's strategies may not be proposed then, and why."""
    figures: Fields
    """Those of the answer, as its sentences write them."""

    @property
    def is_alarm(self) -> bool:
        """Whether something is broken or will be."""
        return self.verdict.is_alarm


def states(
    fleet: Fleet, last_rows: pd.DataFrame, window: pa.Table, strategies: Sequence[str]
) -> dict[Key, State]:
    """Return the states of the groups with most load, by cluster and name.

    ``last_rows`` are those of ``as_it_was``, ``window`` those that the groups are ranked by. What
    is proposed to one of them, then or over the window, has been simulated as far as its own
    page does.
    """
    first = looked_at(last_rows)
    if first.empty:
        return {}
    looks = {
        key: _Look(given_of(reading), strategies)
        for key, reading in last_snapshots(fleet, first[[*KEYS, "snapshot_at"]])
    }
    _simulate_what_is_proposed(looks, _rows_of(looks, window))
    return {key: look.state() for key, look in looks.items()}


def looked_at(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the last rows of the groups with most load, as far as ``MOST_PARTITIONS`` allows.

    A group that is too large for what is left is passed over, and smaller ones come after it.
    """
    first = latest(rows).sort_values("total_load", ascending=False, kind="stable").head(LOOKED_AT)
    left, fits = MOST_PARTITIONS, []
    for partitions in first["partitions"].fillna(0).tolist():
        fits.append(partitions <= left)
        left -= partitions if fits[-1] else 0
    return first[np.array(fits, np.bool_)]


def refusals(found: Mapping[Key, State]) -> Refusals:
    """Return cluster, group and strategy wherever one is refused."""
    return frozenset((*key, name) for key, state in found.items() for name in state.refused)


class _Look:
    """A group at its last snapshot, whose switches are simulated as far as advice takes."""

    def __init__(self, given: Given, strategies: Sequence[str]) -> None:
        self._engine, self._strategies = Brief(), strategies
        self.answer = answer_of(given, self._engine)

    @property
    def switch(self) -> str | None:
        """The strategy that the answer proposes to switch to."""
        proposal = self.answer.proposal
        return None if proposal is None or proposal.strategy is None else proposal.strategy.name

    @property
    def refused(self) -> dict[str, WhyNot]:
        """Which of the fleet's strategies may not be proposed, and why."""
        found = ((name, _why_not(self.answer, name)) for name in self._strategies)
        return {name: why_not for name, why_not in found if why_not is not None}

    def simulate(self, over_window: str | None) -> bool:
        """Simulate further what is proposed over the window; return whether that had not been done.

        To a group in trouble its own page proposes, so that all that may be proposed there counts.
        """
        wanted = {over_window} - {None, AS_IT_WAS}
        if self.answer.verdict.is_alarm:
            found = self.answer.strategies if self.answer.hangs_on_simulations else ()
            wanted = {each.strategy.name for each in found if each.strategy is not None}
        if wanted <= self._engine.asked:
            return False
        self._engine.asked |= {str(name) for name in wanted}
        self.answer = answer_of(self.answer.given, self._engine, known=self.answer.known)
        return True

    def state(self) -> State:
        """Return what the fleet keeps of the answer."""
        answer = self.answer
        proposal, keep, runs = answer.proposal, answer.keep, answer.running.strategy
        return State(
            verdict=answer.verdict,
            action=None if proposal is None else proposal.action,
            strategy=self.switch,
            runs=None if runs is None else runs.name,
            ends_s=np.nan if keep is None or keep.ends_s is None else keep.ends_s,
            refused=self.refused,
            figures=fields_of(answer),
        )


def _simulate_what_is_proposed(looks: Mapping[Key, _Look], window: pa.Table) -> None:
    """Simulate further what is proposed to each group, until none of that is refused."""
    is_open = True
    while is_open:
        refused = frozenset((*key, name) for key, look in looks.items() for name in look.refused)
        found = ranked(window, refused)
        keys = zip(found["cluster"], found["group_id"], strict=True)
        over_window = dict(zip(keys, found[PROPOSED], strict=True))
        simulated = [look.simulate(over_window.get(key)) for key, look in looks.items()]
        is_open = any(simulated)


def _rows_of(groups: Collection[Key], window: pa.Table) -> pa.Table:
    """Return the rows of these groups."""
    named = pa.array(sorted({name for _, name in groups}), pa.string())
    rows = window.filter(pc.is_in(window["group_id"].cast(pa.string()), named))
    keys = zip(rows["cluster"].to_pylist(), rows["group_id"].to_pylist(), strict=True)
    return rows.filter(pa.array([key in groups for key in keys], pa.bool_()))


def _why_not(answer: Answer, name: str) -> WhyNot | None:
    """Return why a strategy may not be proposed, whatever else is; None if it may."""
    option = next((o for o in answer.strategies if o.strategy and o.strategy.name == name), None)
    if option is not None:
        return None if option.passes else option.why_not
    if hindering(answer.findings) is not None:
        return WhyNot.CAUSE_STANDS
    if not answer.strategies:
        return WhyNot.RESTS_ON_ASSUMPTION
    runs = answer.running.presumed
    return WhyNot.TOO_LITTLE if runs is not None and runs.name == name else WhyNot.UNFOUNDED
