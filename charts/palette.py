"""Colours that are distinguishable for colour-blind people, on light and dark backgrounds."""

from typing import Final

from plotly.colors import sample_colorscale

BAR: Final = "#4c86c6"
BUSIEST: Final = "#e08214"
"""The busiest consumer's bar, which is also labelled with its value."""
ALARM: Final = "#c22f3a"
"""What is broken, never beside ``BUSIEST``; always with a word."""
MEAN_LINE: Final = "#7f8a99"
BOUND_LINE: Final = "#1b9e77"
SCALE: Final = sample_colorscale("Cividis", [k / 10 for k in range(2, 11)])
"""For heatmaps: lightness rises evenly, so it also works in grey.

Without the darkest fifth, which looks like an empty cell in the dark theme.
"""
LATE: Final = "#c22f3a"
"""Later than allowed, which a word beside it says too."""
KEPT: Final = "#9aa5b1"
MOVED: Final = BUSIEST
"""Moved partitions, which are also labelled with their number."""
NEW: Final = BAR
"""Partitions without a previous owner."""
ON_COLOUR: Final = "#1b2430"
"""Text on a coloured background, which is equally light in the dark theme."""
STROKES: Final = (
    (BAR, "solid"),
    (BUSIEST, "dash"),
    (BOUND_LINE, "dot"),
    ("#cc79a7", "dashdot"),
    ("#d55e00", "longdash"),
    ("#56b4e9", "longdashdot"),
    ("#b3a125", "solid"),
    (MEAN_LINE, "dash"),
)
"""Colour and dash of lines; the dash distinguishes them without colour."""
