"""Colours that are distinguishable for colour-blind people, on light and dark grounds.

A colour has one meaning on every page, slide and report, and is never the only sign.
"""

from typing import Final

BAR: Final = "#4c86c6"
"""Load under the strategy shown, the read rate, and moves."""
BUSIEST: Final = "#d4760a"
"""The busiest consumer, or a partition that needs more than one; with its figure."""
ALARM: Final = "#c22f3a"
"""What is stopped, late, never done or lost, never beside ``BUSIEST``; always with a word."""
REFERENCE: Final = "#7f8a99"
"""What others are compared with: now, as it was, an even share, a limit."""
BOUND_LINE: Final = "#1b7f5f"
"""The lower bound, a dashed line."""
NEEDLESS: Final = "#cc79a7"
"""Moves that nothing demands, hatched."""
CHOSEN: Final = "#2c68ab"
"""What the visitor has chosen in a picture."""
LIGHT_RAMP: Final = ("#dfeaf7", "#c8dcf1", "#aecde9", "#92bae0", "#76a7d6", "#2c68ab", "#123c73")
DARK_RAMP: Final = ("#1d3147", "#224160", "#28527b", "#316696", "#4a88bd", "#7cb0de", "#a9cff0")
"""For heatmaps, from little to much: the bars' hue, away from the ground of either theme."""
IN_TIME_GROUND: Final = "#6bb5e8"
LATE_GROUND: Final = "#f7cdce"
NEVER_GROUND: Final = "#f0a3a7"
"""Grounds of cells, which carry ``ON_COLOUR`` at 7:1 or better."""
KEPT: Final = "#9aa5b1"
NEW: Final = "#2c68ab"
"""Partitions without a previous owner."""
ON_COLOUR: Final = "#1b2430"
"""Text on a coloured background, which is equally light in the dark theme."""
OTHERS: Final = ("#9068c9", "#b3a125", "#56b4e9")
"""Lines that only their names tell apart."""
STROKES: Final = (
    (BAR, "solid"),
    (OTHERS[0], "dash"),
    (OTHERS[1], "dot"),
    (OTHERS[2], "dashdot"),
    (BAR, "longdash"),
    (OTHERS[0], "longdashdot"),
    (OTHERS[1], "solid"),
    (OTHERS[2], "dash"),
)
"""Colour and dash of lines; the dash distinguishes them without colour."""
