"""What advice promised on a group's earlier snapshots, against what it kept on the later ones."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from assignors.model import FloatArray
from charts.lettering import laid_out, literal
from charts.palette import BAR, REFERENCE
from evaluation.comparing.worth import WORTH

_HEIGHT: Final = 380
_LOWEST: Final = -1.0
"""A gain below this is drawn here: twice the lag, or more."""


def kept_chart(
    names: Sequence[str], promised: FloatArray, kept: FloatArray, less: str
) -> go.Figure:
    """Return a point per group; on the dashed line, all that was promised was kept.

    Hollow points kept no gain worth a switch.

    ``less`` is "less load", or what else becomes less.
    """
    is_kept = kept >= WORTH
    said = [
        f"{literal(name)}<br>first half {100 * one:.0f} % {less}, second half {100 * other:.0f} %"
        for name, one, other in zip(names, promised.tolist(), kept.tolist(), strict=True)
    ]
    figure = go.Figure(
        [
            go.Scatter(
                x=100 * promised,
                y=100 * np.maximum(kept, _LOWEST),
                mode="markers",
                marker={
                    "color": BAR,
                    "size": 8,
                    "symbol": np.where(is_kept, "circle", "circle-open").tolist(),
                },
                customdata=said,
                hovertemplate="%{customdata}<extra></extra>",
            )
        ]
    )
    ends = [0, 100]
    figure.add_trace(
        go.Scatter(
            x=ends, y=ends, mode="lines", line={"color": REFERENCE, "dash": "dash"},
            hoverinfo="skip",
        )
    )  # fmt: skip
    figure.update_xaxes(title_text=f"% {less} in the first half of the snapshots", range=ends)
    figure.update_yaxes(title_text=f"% {less} in the second half")
    figure.update_layout(showlegend=False)
    return laid_out(figure, _HEIGHT)
