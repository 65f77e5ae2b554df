"""The parts of the components: style sheets and scripts in the same folder."""

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent


def read(*names: str) -> str:
    """Return these files one after another."""
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)
