"""Who handed how much to whom: ribbons from the consumers before to the consumers after.

A consumer has one slot on both sides, so what it keeps runs straight across and only what
moves slants. Heights are in pixels, partitions times a scale.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from charts.flow_slots import Link, Slot, picture_of
from charts.palette import KEPT, MEAN_LINE, MOVED, NEW, ON_COLOUR
from evaluation.rebalance import Rebalance

_BAR_WIDTH: Final = 0.02
_BENDS: Final = 24
_HEADER: Final = 30
_GAP: Final = 8
_LEAST_LABEL: Final = 11
"""Ribbons thinner than this have no room for their count; hovering tells it."""
_COLOURS: Final = {"stays": KEPT, "moves": MOVED, "had no owner": NEW}


class _Ribbon(NamedTuple):
    """One link as it is drawn: where it leaves, where it arrives, how thick at each end."""

    link: Link
    left: float
    right: float
    thickness: tuple[float, float]


def flow(found: Rebalance) -> go.Figure:
    """Return the picture of one rebalance: what stays is grey, what moves is coloured."""
    slots, links = picture_of(found)
    tops = np.cumsum([0.0, *(slot.height + _GAP for slot in slots)])
    ribbons = _ribbons(slots, tops, links)
    kinds = [_kind(link, slots) for link in links]
    figure = go.Figure()
    for ribbon in sorted(ribbons, key=lambda ribbon: not ribbon.link.is_kept):
        figure.add_trace(_drawn(ribbon, slots))
    figure.add_trace(_counts(ribbons))
    for is_after in (False, True):
        figure.add_trace(_bars(slots, tops, is_after=is_after))
        figure.add_trace(_names(slots, tops, is_after=is_after))
    for kind in (kind for kind in _COLOURS if kind in kinds):
        figure.add_trace(_legend_entry(kind))
    figure.update_xaxes(visible=False, range=[-0.36, 1.36], fixedrange=True)
    figure.update_yaxes(visible=False, range=[float(tops[-1]), -_HEADER], fixedrange=True)
    figure.update_layout(
        height=int(tops[-1]) + _HEADER + 50,
        margin={"l": 0, "r": 0, "t": 40, "b": 10},
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0.5, "xanchor": "center"},
        hovermode="closest",
        barmode="overlay",
        annotations=[
            {"text": "<b>before</b>", "x": 0, "y": -_HEADER / 2, "showarrow": False},
            {"text": "<b>after</b>", "x": 1, "y": -_HEADER / 2, "showarrow": False},
        ],
    )
    return figure


def _ribbons(
    slots: Sequence[Slot], tops: npt.NDArray[np.float64], links: Iterable[Link]
) -> list[_Ribbon]:
    """Stack the links at both ends: what stays first, the rest in the order of the slots."""
    left, right = tops[:-1].copy(), tops[:-1].copy()
    found = []
    for link in sorted(links, key=lambda link: (not link.is_kept, link.source, link.target)):
        thickness = (
            link.partitions * slots[link.source].scale,
            link.partitions * slots[link.target].scale,
        )
        found.append(_Ribbon(link, left[link.source], right[link.target], thickness))
        left[link.source] += thickness[0]
        right[link.target] += thickness[1]
    return found


def _drawn(ribbon: _Ribbon, slots: Sequence[Slot]) -> go.Scatter:
    link, (left, right) = ribbon.link, ribbon.thickness
    along = np.linspace(0, 1, _BENDS)
    bend = along * along * (3 - 2 * along)
    upper = ribbon.left + (ribbon.right - ribbon.left) * bend
    lower = upper + left + (right - left) * bend
    source, target = slots[link.source].name, slots[link.target].name
    went = f"{source} keeps" if link.is_kept else f"{source} → {target}:"
    return go.Scatter(
        x=np.concatenate([along, along[::-1]]),
        y=np.concatenate([upper, lower[::-1]]),
        mode="lines",
        line={"width": 0.5, "color": _COLOURS[_kind(link, slots)]},
        fill="toself",
        fillcolor=_COLOURS[_kind(link, slots)],
        opacity=0.45 if link.is_kept else 0.85,
        hoveron="fills",
        hoverinfo="text",
        text=f"{went} {_partitions(link.partitions)}",
        name=f"{source} → {target}",
        meta={"source": source, "target": target, "partitions": link.partitions},
        showlegend=False,
    )


def _kind(link: Link, slots: Sequence[Slot]) -> str:
    if link.is_kept:
        return "stays"
    return "had no owner" if slots[link.source].name == "nobody" else "moves"


def _counts(ribbons: Sequence[_Ribbon]) -> go.Scatter:
    """Return the counts of what moves, beside the bars they leave: there nothing overlaps."""
    labelled = [
        ribbon
        for ribbon in ribbons
        if not ribbon.link.is_kept and ribbon.thickness[0] >= _LEAST_LABEL
    ]
    return go.Scatter(
        x=[_BAR_WIDTH] * len(labelled),
        y=[ribbon.left + ribbon.thickness[0] / 2 for ribbon in labelled],
        mode="text",
        text=[f"{ribbon.link.partitions:,}" for ribbon in labelled],
        textposition="middle right",
        textfont={"size": 12, "color": ON_COLOUR},
        hoverinfo="skip",
        showlegend=False,
    )


def _bars(slots: Sequence[Slot], tops: npt.NDArray[np.float64], *, is_after: bool) -> go.Bar:
    shown = [k for k, slot in enumerate(slots) if (slot.after if is_after else slot.before)]
    amounts = [slots[k].after if is_after else slots[k].before for k in shown]
    heights = [amount * slots[k].scale for k, amount in zip(shown, amounts, strict=True)]
    return go.Bar(
        orientation="h",
        base=[1.0 if is_after else -_BAR_WIDTH] * len(shown),
        x=[_BAR_WIDTH] * len(shown),
        y=[tops[k] + height / 2 for k, height in zip(shown, heights, strict=True)],
        width=heights,
        marker={"color": MEAN_LINE, "line": {"width": 0}},
        customdata=amounts,
        hovertext=[slots[k].name for k in shown],
        hovertemplate="%{hovertext}: %{customdata:,} partitions "
        + ("after" if is_after else "before")
        + "<extra></extra>",
        showlegend=False,
    )


def _names(slots: Sequence[Slot], tops: npt.NDArray[np.float64], *, is_after: bool) -> go.Scatter:
    shown = [
        k
        for k, slot in enumerate(slots)
        if (slot.after or slot.has_members if is_after else slot.before)
    ]
    amounts = [slots[k].after if is_after else slots[k].before for k in shown]
    return go.Scatter(
        x=[1 + 1.6 * _BAR_WIDTH if is_after else -1.6 * _BAR_WIDTH] * len(shown),
        y=[tops[k] + max(amounts[n] * slots[k].scale, 14) / 2 for n, k in enumerate(shown)],
        mode="text",
        text=[f"{slots[k].label}  <b>{amounts[n]:,}</b>" for n, k in enumerate(shown)],
        textposition="middle right" if is_after else "middle left",
        hoverinfo="skip",
        showlegend=False,
    )


def _legend_entry(kind: str) -> go.Scatter:
    return go.Scatter(
        x=[None],
        y=[None],
        mode="markers",
        marker={"symbol": "square", "size": 12, "color": _COLOURS[kind]},
        name=kind,
        hoverinfo="skip",
    )


def _partitions(count: int) -> str:
    return f"{count:,} partition{'' if count == 1 else 's'}"
