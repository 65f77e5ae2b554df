"""Heatmaps: consumer by topic, for each strategy."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from assignors.model import Group
from charts.colour_scale import ColourScale, linear, ramp, takes_white, telling
from charts.lettering import laid_out, literal, name_rows
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.consumer_labels import bare_labels
from evaluation.metrics import (
    count_per_member_and_topic,
    load_per_member_and_topic,
)
from evaluation.wording import amount, natural

MAX_CELLS = 150_000
"""Cells of all panels of a figure; beyond that, topics with least load are drawn as one."""
_MOST_WRITTEN_BY_TOPIC = 1_000
"""Their texts shrink with the cells."""
_MAX_NAMED_TOPICS = 40
_ROW_HEIGHT = 20
_MOST_NAMED = 60
"""Rows with names; more would make the page too long, and show their names on hover."""
_TALLEST = 760
_LOW = 420
"""The height of each of several panels of unnamed rows."""
_TEXT_PX = 12
_INKS = ("#000000", "#ffffff")


def consumer_by_topic(
    group: Group, outcomes: Sequence[Outcome], load: Load, *, is_dark: bool = False
) -> go.Figure:
    """Return a heatmap per strategy, consumer by topic, on one colour scale of the theme.

    Each heatmap has two layers, because Plotly writes a layer in one colour: every cell, and above
    it those whose figures are white.
    """
    labels = bare_labels(group)
    order = sorted(range(group.member_count), key=lambda m: natural(labels[m]))
    topics = _shown_topics(group, len(outcomes))
    panels = [_cells(group, outcome, load, order, topics) for outcome in outcomes]
    every = np.concatenate([panel.ravel() for panel in panels]) if panels else np.zeros(0)
    scale = telling(every) if load.by_weight else linear(every)
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
    names = _names(group, topics)
    is_written = every.size <= _MOST_WRITTEN_BY_TOPIC
    for k, (outcome, cells) in enumerate(zip(outcomes, panels, strict=True)):
        said = f"%{{y}}<br>%{{x}}: %{{customdata:,}} {load.unit}<extra>{outcome.label}</extra>"
        for layer in _layers(cells, scale, is_written=is_written, is_dark=is_dark):
            layer.update(x=names, hovertemplate=said)
            figure.add_trace(layer, row=k // columns + 1, col=k % columns + 1)
    is_named = group.member_count <= _MOST_NAMED
    name_rows(figure, [labels[m] for m in order], is_named=is_named)
    figure.update_xaxes(
        tickangle=-45, showticklabels=len(names) <= _MAX_NAMED_TOPICS, showgrid=False
    )
    figure.update_yaxes(showgrid=False)
    figure.update_layout(
        coloraxis={
            "colorscale": ramp(is_dark=is_dark),
            "colorbar": scale.colorbar(load.unit),
            "cmin": scale.ends[0],
            "cmax": scale.ends[1],
        }
    )
    height = rows * _height(group.member_count, _LOW) + 60
    return laid_out(figure, height, top=40, size=_TEXT_PX)


class _ShownTopics(NamedTuple):
    """The numbers of the topics with a column each, and of those that share the last one."""

    alone: npt.NDArray[np.intp]
    together: npt.NDArray[np.intp]


def _names(group: Group, topics: _ShownTopics) -> list[str]:
    names = [literal(group.topics[t]) for t in topics.alone]
    return [*names, f"{topics.together.size} other topics"] if topics.together.size else names


def _cells(
    group: Group, outcome: Outcome, load: Load, order: Sequence[int], topics: _ShownTopics
) -> npt.NDArray[np.float64]:
    """Return the load of each consumer in each column; NaN where it owns none of it."""
    per_cell = load_per_member_and_topic if load.by_weight else count_per_member_and_topic
    cells = per_cell(group, outcome.owners, np.array(order, dtype=np.int32)).astype(np.float64)
    shown = cells[:, topics.alone]
    if topics.together.size:
        shown = np.column_stack([shown, cells[:, topics.together].sum(axis=1)])
    return np.where(shown == 0, np.nan, shown)


def _layers(
    cells: npt.NDArray[np.float64], scale: ColourScale, *, is_written: bool, is_dark: bool
) -> Iterator[go.Heatmap]:
    """Yield every cell, with the black figures, and then those whose figures are white."""
    is_white = takes_white(scale, cells, is_dark=is_dark)
    white = np.where(is_white, cells, np.nan)
    black = np.where(is_white, np.nan, cells)
    for filled, written, ink in ((cells, black, _INKS[0]), (white, white, _INKS[1])):
        yield go.Heatmap(
            z=scale.depth(filled),
            customdata=cells,
            coloraxis="coloraxis",
            text=_texts(written) if is_written else None,
            texttemplate="%{text}" if is_written else None,
            textfont={"color": ink},
        )


def _texts(cells: npt.NDArray[np.float64]) -> list[list[str]]:
    """Return the amounts as text, as large as fits into their cells; of nothing none."""
    return [["" if np.isnan(cell) else amount(cell) for cell in row] for row in cells.tolist()]


def _shown_topics(group: Group, panels: int) -> _ShownTopics:
    """Return the topics to draw separately, and those with least load, to draw as one."""
    wanted = group.layout.wanted_topics
    room = max(MAX_CELLS // max(panels * group.member_count, 1), 1)
    if wanted.size <= room:
        return _ShownTopics(wanted, wanted[:0])
    load = np.bincount(group.topic_of_partition, group.counted_weights, minlength=len(group.topics))
    order = wanted[np.lexsort((wanted, -group.topic_sizes[wanted], -load[wanted]))]
    return _ShownTopics(np.sort(order[: room - 1]), np.sort(order[room - 1 :]))


def _height(member_count: int, tallest: int = _TALLEST) -> int:
    """Return a height at which the names of rows do not overlap, where they are shown."""
    wanted = member_count * _ROW_HEIGHT + 80
    return max(wanted, 200) if member_count <= _MOST_NAMED else tallest
