"""What a change of owners must bring to be worth it: the one rule's two figures."""

from typing import Final

WORTH: Final = 0.05
"""The share of the busiest consumer's load that a proposal takes off at least."""
RELIABLE: Final = 0.9
"""The share of simulated restarts in which it must take ``WORTH`` off."""
