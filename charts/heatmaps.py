"""Heatmaps: consumer by strategy, and consumer by topic for each strategy."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from assignors.model import Group
from charts.lettering import laid_out, literal, name_rows, wrapped
from charts.palette import SCALE
from evaluation.compare import Outcome
from evaluation.metrics import (
    count_per_member,
    count_per_member_and_topic,
    lag_per_member,
    lag_per_member_and_topic,
    unknown_per_member,
)

MAX_CELLS = 150_000
"""Cells of all panels of a figure; beyond that, topics with least lag are drawn as one."""
MAX_WRITTEN = 250
_MAX_NAMED_TOPICS = 40
_ROW_HEIGHT = 22
_TALLEST = 760
_TEXT_PX = 12
_COLUMN = 11
"""Characters per line of a strategy's name above its column."""


def consumer_by_strategy(group: Group, outcomes: Sequence[Outcome], *, lag: bool) -> go.Figure:
    """Return a cell per consumer and strategy: known lag, or partitions.

    A consumer without any known lag has an empty cell.
    """
    per_member = lag_per_member if lag else count_per_member
    columns = [per_member(group, outcome.owners).astype(float) for outcome in outcomes]
    if lag:
        for column, outcome in zip(columns, outcomes, strict=True):
            counts = count_per_member(group, outcome.owners)
            column[(counts > 0) & (unknown_per_member(group, outcome.owners) == counts)] = np.nan
    cells = np.array(columns).T
    unit, written = ("records", "%{z:.3~s}") if lag else ("partitions", "%{z:,d}")
    figure = go.Figure(
        go.Heatmap(
            z=cells,
            x=[wrapped(outcome.label, _COLUMN) for outcome in outcomes],
            colorscale=SCALE,
            colorbar={"title": {"text": unit}},
            zmin=0,
            zmax=float(np.nanmax(cells, initial=1)),
            texttemplate=written if cells.size <= MAX_WRITTEN else None,
            hoverongaps=True,
            hovertemplate="%{y}<br>%{x}: %{z:,} " + unit + "<extra></extra>",
        )
    )
    name_rows(figure, group.members, is_named=group.member_count * 12 <= _TALLEST)
    figure.update_xaxes(side="top")
    return laid_out(figure, _height(group.member_count), top=30, size=_TEXT_PX)


def consumer_by_topic(group: Group, outcomes: Sequence[Outcome], *, lag: bool) -> go.Figure:
    """Return a heatmap per strategy, consumer by topic, on one colour scale."""
    per_cell = lag_per_member_and_topic if lag else count_per_member_and_topic
    everybody = np.arange(group.member_count, dtype=np.int32)
    kept, rest = _shown_topics(group, len(outcomes))
    names = [literal(group.topics[t]) for t in kept] + (
        [f"{rest.size} other topics"] if rest.size else []
    )
    columns = min(len(outcomes), 2)
    rows = -(-len(outcomes) // columns)
    figure = make_subplots(
        rows=rows,
        cols=columns,
        shared_yaxes=True,
        shared_xaxes=True,
        horizontal_spacing=0.02,
        vertical_spacing=min(0.3 / rows, 0.12),
        subplot_titles=[outcome.label for outcome in outcomes],
    )
    unit = "records" if lag else "partitions"
    for k, outcome in enumerate(outcomes):
        cells = per_cell(group, outcome.owners, everybody)
        shown = cells[:, kept]
        if rest.size:
            shown = np.column_stack([shown, cells[:, rest].sum(axis=1)])
        figure.add_trace(
            go.Heatmap(
                z=np.where(shown == 0, np.nan, shown),  # owned partitions stand out
                x=names,
                coloraxis="coloraxis",
                hovertemplate="%{y}<br>%{x}: %{z:,} " + unit + f"<extra>{outcome.label}</extra>",
            ),
            row=k // columns + 1,
            col=k % columns + 1,
        )
    name_rows(figure, group.members, is_named=group.member_count * 12 <= _TALLEST)
    figure.update_xaxes(
        tickangle=-45, showticklabels=len(names) <= _MAX_NAMED_TOPICS, showgrid=False
    )
    figure.update_yaxes(showgrid=False)
    figure.update_layout(
        coloraxis={"colorscale": SCALE, "colorbar": {"title": {"text": unit}}, "cmin": 0}
    )
    height = rows * min(_height(group.member_count), 420) + 60
    return laid_out(figure, height, top=40, size=_TEXT_PX)


def _shown_topics(group: Group, panels: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the topics to draw separately, and those with least lag, to draw as one."""
    wanted = group.wanted_topics
    room = max(MAX_CELLS // max(panels * group.member_count, 1), 1)
    if wanted.size <= room:
        return wanted, wanted[:0]
    lag = np.bincount(group.topic_of_partition, group.counted_lags, minlength=len(group.topics))
    order = wanted[np.lexsort((wanted, -group.topic_sizes[wanted], -lag[wanted]))]
    return np.sort(order[: room - 1]), np.sort(order[room - 1 :])


def _height(member_count: int) -> int:
    return int(np.clip(member_count * _ROW_HEIGHT + 80, 200, _TALLEST))
