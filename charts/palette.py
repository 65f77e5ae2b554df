"""Colours that colour-blind people can tell apart, on light and on dark ground."""

from typing import Final

BAR: Final = "#4c86c6"
BUSIEST: Final = "#e08214"
"""The bar that decides; it carries its value in figures too."""
MEAN_LINE: Final = "#7f8a99"
BOUND_LINE: Final = "#1b9e77"
SCALE: Final = "Cividis"
"""For heatmaps: rises evenly in lightness, so it reads in grey as well."""
KEPT: Final = "#9aa5b1"
MOVED: Final = BUSIEST
"""What changes hands; it is labelled with its count too."""
NEW: Final = BAR
"""What had no owner before."""
ON_COLOUR: Final = "#1b2430"
"""Figures on a coloured ground, which is as light in the dark theme."""
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
"""Colour and dash together tell lines apart."""
