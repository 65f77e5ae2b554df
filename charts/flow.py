"""Partitions that move between consumers: ribbons from the old owners to the new ones.

A consumer has the same slot on both sides, so kept partitions run straight across and only moved
ones slant. Heights are in pixels: partitions times a scale. All ribbons of one kind are one trace,
so that large groups draw as fast as small ones.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from charts.flow_slots import Link, Slot, picture_of
from charts.lettering import INK, literal, readable
from charts.palette import BAR, KEPT, NEW, ON_COLOUR, REFERENCE
from evaluation.rebalance.simulation import Rebalance
from evaluation.wording import plural

_BAR_WIDTH: Final = 0.02
_BENDS: Final = 24
_HEADER: Final = 24
_GAP: Final = 6
_ROOM_FOR_NAMES: Final = 0.52
_LEAST_LABEL: Final = 13
"""Thinner ribbons have no room for their count; hovering over their ends shows it."""
_COLOURS: Final = {"stays": KEPT, "moves": BAR, "had no owner": NEW}


class _Ribbon(NamedTuple):
    """One link as drawn: its start, its end, and its thickness at both."""

    link: Link
    left: float
    right: float
    thickness: tuple[float, float]
    kind: str


def flow(rebalance: Rebalance) -> go.Figure:
    """Return the picture of one rebalance: kept partitions grey, moved ones coloured."""
    slots, links = picture_of(rebalance)
    tops = np.cumsum([0.0, *(slot.height + _GAP for slot in slots)])
    ribbons = _ribbons(slots, tops, links)
    figure = go.Figure()
    for kind in _COLOURS:
        chosen = [ribbon for ribbon in ribbons if ribbon.kind == kind]
        if chosen:
            figure.add_trace(_drawn(kind, chosen))
    figure.add_trace(_ends(ribbons, slots))
    for is_after in (False, True):
        figure.add_traces([*_side(slots, tops, is_after=is_after)])
    figure.update_xaxes(
        visible=False, range=[-_ROOM_FOR_NAMES, 1 + _ROOM_FOR_NAMES], fixedrange=True
    )
    figure.update_yaxes(visible=False, range=[float(tops[-1]), -_HEADER], fixedrange=True)
    figure.update_layout(
        height=int(tops[-1]) + _HEADER + 36,
        margin={"l": 0, "r": 0, "t": 26, "b": 10},
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0.5, "xanchor": "center"},
        hovermode="closest",
        barmode="overlay",
        annotations=[
            {"text": "<b>before</b>", "x": 0, "y": -_HEADER / 2, "showarrow": False},
            {"text": "<b>after</b>", "x": 1, "y": -_HEADER / 2, "showarrow": False},
        ],
    )
    return readable(figure)


def _ribbons(
    slots: Sequence[Slot], tops: npt.NDArray[np.float64], links: Iterable[Link]
) -> list[_Ribbon]:
    """Stack the links at both ends: kept partitions first, the rest in the order of the slots."""
    left, right = tops[:-1].copy(), tops[:-1].copy()
    ribbons = []
    for link in sorted(links, key=lambda link: (not link.is_kept, link.source, link.target)):
        thickness = (
            link.partitions * slots[link.source].scale,
            link.partitions * slots[link.target].scale,
        )
        kind = _kind(link, slots)
        ribbons.append(_Ribbon(link, left[link.source], right[link.target], thickness, kind))
        left[link.source] += thickness[0]
        right[link.target] += thickness[1]
    return ribbons


def _kind(link: Link, slots: Sequence[Slot]) -> str:
    if link.is_kept:
        return "stays"
    return "had no owner" if slots[link.source].is_nobody else "moves"


def _drawn(kind: str, ribbons: Sequence[_Ribbon]) -> go.Scatter:
    """Return all ribbons of one kind as polygons of one trace, separated by gaps."""
    along = np.linspace(0, 1, _BENDS)
    bend = along * along * (3 - 2 * along)
    x, y = [], []
    for ribbon in ribbons:
        upper = ribbon.left + (ribbon.right - ribbon.left) * bend
        start, end = ribbon.thickness
        lower = upper + start + (end - start) * bend
        x.append(np.concatenate([along, along[::-1], [np.nan]]))
        y.append(np.concatenate([upper, lower[::-1], [np.nan]]))
    return go.Scatter(
        x=np.concatenate(x)[:-1],
        y=np.concatenate(y)[:-1],
        mode="lines",
        line={"width": 0.5, "color": _COLOURS[kind]},
        fill="toself",
        fillcolor=_COLOURS[kind],
        opacity=0.45 if kind == "stays" else 0.85,
        hoverinfo="skip",
        name=kind,
    )


def _ends(ribbons: Sequence[_Ribbon], slots: Sequence[Slot]) -> go.Scatter:
    """Return a hover point at both ends of each ribbon, with the number of partitions.

    Counts are beside the bars that ribbons leave, where nothing overlaps.
    """
    moving = [ribbon for ribbon in ribbons if not ribbon.link.is_kept]
    counts = [
        f"{ribbon.link.partitions:,}" if ribbon.thickness[0] >= _LEAST_LABEL else ""
        for ribbon in moving
    ]
    whole = [_sentence(ribbon.link, slots) for ribbon in moving]
    return go.Scatter(
        x=[_BAR_WIDTH] * len(moving) + [1 - _BAR_WIDTH] * len(moving),
        y=[
            *(ribbon.left + ribbon.thickness[0] / 2 for ribbon in moving),
            *(ribbon.right + ribbon.thickness[1] / 2 for ribbon in moving),
        ],
        mode="markers+text",
        marker={"opacity": 0, "size": 8},
        text=[*counts, *[""] * len(moving)],
        textposition="middle right",
        textfont={"size": 12, "color": ON_COLOUR},
        hovertext=whole * 2,
        hoverinfo="text",
        showlegend=False,
    )


def _sentence(link: Link, slots: Sequence[Slot]) -> str:
    count = f"{plural(link.partitions, 'partition')}"
    return f"{literal(slots[link.source].name)} → {literal(slots[link.target].name)}: {count}"


def _side(
    slots: Sequence[Slot], tops: npt.NDArray[np.float64], *, is_after: bool
) -> Iterator[go.Bar | go.Scatter]:
    """Yield the bars of one side with their names, including idle members."""
    placed = [
        (slot, top, slot.after if is_after else slot.before)
        for slot, top in zip(slots, tops.tolist(), strict=False)
    ]
    owning = [(slot, top, amount) for slot, top, amount in placed if amount]
    yield go.Bar(
        orientation="h",
        base=[1.0 if is_after else -_BAR_WIDTH] * len(owning),
        x=[_BAR_WIDTH] * len(owning),
        y=[top + amount * slot.scale / 2 for slot, top, amount in owning],
        width=[amount * slot.scale for slot, _, amount in owning],
        marker={"color": REFERENCE, "line": {"width": 0}},
        customdata=[amount for _, _, amount in owning],
        hovertext=[literal(slot.name) for slot, _, _ in owning],
        hovertemplate="%{hovertext}: %{customdata:,} partitions "
        + ("after" if is_after else "before")
        + "<extra></extra>",
        showlegend=False,
    )
    named = [each for each in placed if each[2] or (is_after and each[0].has_members)]
    yield go.Scatter(
        x=[1 + 1.6 * _BAR_WIDTH if is_after else -1.6 * _BAR_WIDTH] * len(named),
        y=[top + max(amount * slot.scale, 14) / 2 for slot, top, amount in named],
        mode="text",
        text=[f"{literal(slot.label)}  <b>{amount:,}</b>" for slot, _, amount in named],
        textfont={"size": 12, "color": INK},
        textposition="middle right" if is_after else "middle left",
        hoverinfo="skip",
        showlegend=False,
    )
