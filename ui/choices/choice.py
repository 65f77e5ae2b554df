"""What all choices have: a name, how long they last, and what is stated."""

from dataclasses import dataclass
from enum import Enum

from ui.choices.kept import state_beside, stated


class Lasts(Enum):
    """How long a choice lasts."""

    PAGE = "on its page, and in its link"
    VISITOR = "for any group, on all pages"
    GROUP = "with its group: it leaves the screen with it, and returns with it"


@dataclass(frozen=True)
class UserChoice:
    """One choice of the visitor."""

    name: str
    """The widget's key and the parameter in the link."""
    lasts: Lasts = Lasts.PAGE

    def written(self) -> str | None:
        """Return what is stated as a link has it; None if nothing is."""
        value = self._stated()
        if value is None:
            return None
        return f"{value:g}" if isinstance(value, float) else str(value)

    def put(self, value: str | None) -> None:
        """State this where no field does, or nothing; for callbacks."""
        state_beside(self.name, value)

    def _stated(self) -> str | float | None:
        return stated(self.name, of_group=self.lasts is Lasts.GROUP)
