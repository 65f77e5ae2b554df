"""Colours that are distinguishable for colour-blind people, on light and dark backgrounds."""

from typing import Final

BAR: Final = "#4c86c6"
BUSIEST: Final = "#d4760a"
"""The busiest consumer's bar, which is also labelled with its value."""
ALARM: Final = "#c22f3a"
"""What is broken, never beside ``BUSIEST``; always with a word."""
CHOSEN: Final = "#2c68ab"
"""What the visitor has chosen in a picture."""
MEAN_LINE: Final = "#7f8a99"
BOUND_LINE: Final = "#1b7f5f"
LIGHT_RAMP: Final = ("#dfeaf7", "#c8dcf1", "#aecde9", "#92bae0", "#76a7d6", "#2c68ab", "#123c73")
DARK_RAMP: Final = ("#1d3147", "#224160", "#28527b", "#316696", "#4a88bd", "#7cb0de", "#a9cff0")
"""For heatmaps, from little to much: the bars' hue, away from the ground of either theme."""
LATE: Final = "#c22f3a"
"""Later than allowed, which a word beside it says too."""
KEPT: Final = "#9aa5b1"
MOVED: Final = BAR
NEW: Final = "#2c68ab"
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
