"""The trade-off between moved partitions and the busiest consumer's load."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from charts.lettering import laid_out, wrapped
from charts.palette import BAR, BOUND_LINE, CHOSEN
from evaluation.bounds.frontier import Frontier
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome

_LAG = Load()
_MAX_POINTS = 2_000
_HEIGHT = 380
_ROOM = 1.08
_ROOM_ABOVE = 1.25
"""Room for labels, as a factor of the largest value."""
_FEW = 2
_NEAR = 0.06
"""Points share a label within this share of the height and twice this share of the width."""


def frontier_curve(
    curve: Frontier, outcomes: Sequence[Outcome], moves: int, load: Load = _LAG
) -> go.Figure:
    """Return the curve of ``load_sticky``, the chosen point on it, and a point per strategy.

    The axis reaches to the strategy that moves most; beyond its end the curve stays level.
    """
    last = max(curve.max_load.size - 1, 1, *(outcome.figures.moved or 0 for outcome in outcomes))
    step = max(curve.max_load.size // _MAX_POINTS, 1)
    budgets = np.arange(0, curve.max_load.size, step)
    levels = curve.max_load[budgets]
    if last >= curve.max_load.size:
        budgets, levels = np.append(budgets, last), np.append(levels, curve.max_load[-1])
    figure = go.Figure(
        go.Scatter(
            x=budgets,
            y=levels,
            mode="lines",
            name="best reached by load-sticky",
            line={"color": BAR, "width": 3, "shape": "hv"},
            hovertemplate=f"%{{x:,}} moves: %{{y:,}} {load.unit}<extra></extra>",
        )
    )
    if curve.bound is not None:
        figure.add_trace(
            go.Scatter(
                x=[0, last],
                y=[curve.bound, curve.bound],
                mode="lines",
                name=f"lower bound: {curve.bound:,}",
                line={"color": BOUND_LINE, "dash": "dash", "width": 2},
                hoverinfo="name",
            )
        )
    chosen = min(moves, curve.max_load.size - 1)
    figure.add_trace(
        go.Scatter(
            x=[chosen],
            y=[curve.max_load[chosen]],
            mode="markers+text",
            name="chosen",
            text=[f"{moves:,} moves"],
            textposition="bottom center",
            marker={"color": CHOSEN, "size": 14, "symbol": "diamond"},
            hovertemplate=f"chosen: %{{x:,}} moves, %{{y:,}} {load.unit}<extra></extra>",
        )
    )
    highest = max(
        [int(curve.max_load[0]), *(outcome.figures.max_load or 0 for outcome in outcomes)]
    )
    figure.add_trace(_strategies(outcomes, last, highest))
    figure.update_xaxes(title_text="partitions moved", range=[-0.02 * last, last * _ROOM])
    figure.update_yaxes(
        title_text=f"{load.noun} of the busiest consumer", range=[0, highest * _ROOM_ABOVE]
    )
    return laid_out(figure, _HEIGHT, top=40)


def _label(names: Sequence[str]) -> str:
    """Join the names; many in long lines, because few lines fit above a point."""
    return wrapped(", ".join(names), 20 if len(names) <= _FEW else 40)


def _strategies(outcomes: Sequence[Outcome], last: int, highest: int) -> go.Scatter:
    points: dict[tuple[int, int], list[str]] = {}
    for outcome in outcomes:
        moved, lag = outcome.figures.moved, outcome.figures.max_load
        if moved is not None and lag is not None:
            points.setdefault((moved, lag), []).append(outcome.label)
    labels: dict[tuple[int, int], list[str]] = {}
    for (moved, lag), names in points.items():  # neighbours share one label
        beside = (
            point
            for point in labels
            if abs(point[0] - moved) <= 2 * _NEAR * last and abs(point[1] - lag) <= _NEAR * highest
        )
        labels.setdefault(next(beside, (moved, lag)), []).extend(names)
    return go.Scatter(
        x=[moved for moved, _ in points],
        y=[lag for _, lag in points],
        mode="markers+text",
        name="strategies",
        text=[_label(labels.get(point, ())) for point in points],
        textposition=["top right" if 2 * moved <= last else "top left" for moved, _ in points],
        customdata=[(", ".join(names), moved) for (moved, _), names in points.items()],
        marker={"color": BAR, "size": 10},
        hovertemplate="%{customdata[0]}: %{customdata[1]:,} moved, %{y:,} records<extra></extra>",
    )
