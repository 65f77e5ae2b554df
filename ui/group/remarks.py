"""Remarks below a table: wrong cells with the correction, and ignored values."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import Group
from ui.scenario import Scenario
from ui.untrusted import verbatim

_SHOWN: Final = 5


def show(current: Scenario) -> None:
    """Show the problems of the scenario, or else possibly unintended values."""
    problems = [verbatim(str(problem)) for problem in current.problems]
    if not problems:
        for remark in _remarks(current):
            st.info(verbatim(remark), icon=":material/info:")
        return
    shown = problems[:_SHOWN]
    if len(problems) > _SHOWN:
        shown.append(f"{len(problems) - _SHOWN:,} more cells need attention.")
    st.error("\n\n".join(shown), icon=":material/error:")


def say_stale(current: Scenario) -> None:
    """Say, on pages other than Group, that wrong cells have their last valid values."""
    if current.problems:
        st.warning("Some cells on the Group page are wrong; their last valid values count.")


def _remarks(current: Scenario) -> Iterator[str]:
    yield from _spare_racks(current.draft.topics)
    yield from _negative_lags(current.group)


def _spare_racks(topics: pd.DataFrame) -> Iterator[str]:
    """Name the topic that lists racks for more partitions than it has, as after shrinking."""
    if not any(topics["racks"].tolist()):
        return
    listed = topics["racks"].str.count(";") + 1
    spare = topics[(listed > topics["partitions"].astype(int).clip(1)) & (topics["racks"] != "")]
    for topic, partitions in zip(spare["topic"][:1], spare["partitions"][:1], strict=True):
        more = f", and likewise in {len(spare) - 1:,} more topics" if len(spare) > 1 else ""
        yield (
            f"Topics, {topic}, replica racks: racks are listed for {listed[spare.index[0]]:,} "
            f"partitions; the first {partitions:,} count{more}."
        )


def _negative_lags(group: Group) -> Iterator[str]:
    negative = np.flatnonzero(group.is_lag_known & (group.lags < 0))
    if not negative.size:
        return
    cells = [f"{group.partition_name(int(p))} ({group.lags[p]:,})" for p in negative[:_SHOWN]]
    more = f" and {negative.size - _SHOWN:,} more" if negative.size > _SHOWN else ""
    yield (
        f"Lags and owners: negative lag counts as 0: {', '.join(cells)}{more}. Tools report it "
        "when a committed offset is past the end of the log."
    )
