"""What an assignor of another kind of group does, step by step: the trace that explains its answer.

A step names its rule and the figures that decided; adding the steps up gives the answer.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

Figure: TypeAlias = int | float | str
"""A number, or the id of a member or an instance."""
Figures: TypeAlias = Mapping[str, Figure]

_NONE: Final[Figures] = MappingProxyType({})


class Effect(Enum):
    """What a step does to its item."""

    KEPT = "its holder keeps it"
    GIVEN = "its holder gets it"
    TAKEN = "its holder gives it up"
    WAITS = "nobody gets it yet"


class Placement(NamedTuple):
    """One step."""

    member: str
    """A member, or an instance while its threads are left open; "" for what waits."""
    item: str
    """What is placed: "orders-3", a task "1_2", a connector or its task "sink-0"."""
    rule: Enum
    """A member of the strategy's own rules; its value is a sentence with names of figures."""
    effect: Effect = Effect.GIVEN
    role: str = ""
    """"active", "standby", "warm-up"; "" where work has no roles."""
    figures: Figures = _NONE

    @property
    def text(self) -> str:
        """The rule in one sentence, with the figures that decided."""
        return str(self.rule.value).format(**self.figures)


class PlacementTrace:
    """Records the steps of a strategy, in order."""

    def __init__(self) -> None:
        self.placements: list[Placement] = []

    def kept(
        self, member: str, item: str, rule: Enum, figures: Figures = _NONE, role: str = ""
    ) -> None:
        """Tell that a holder keeps an item."""
        self.placements.append(Placement(member, item, rule, Effect.KEPT, role, figures))

    def given(
        self, member: str, item: str, rule: Enum, figures: Figures = _NONE, role: str = ""
    ) -> None:
        """Tell that a holder gets an item."""
        self.placements.append(Placement(member, item, rule, Effect.GIVEN, role, figures))

    def taken(
        self, member: str, item: str, rule: Enum, figures: Figures = _NONE, role: str = ""
    ) -> None:
        """Tell that a holder gives an item up."""
        self.placements.append(Placement(member, item, rule, Effect.TAKEN, role, figures))

    def waits(self, item: str, rule: Enum, figures: Figures) -> None:
        """Tell that nobody gets an item yet."""
        self.placements.append(Placement("", item, rule, Effect.WAITS, "", figures))


def renamed(placement: Placement, names: Mapping[str, str]) -> Placement:
    """Return a step with other names of members and instances, also among its figures."""
    figures = {
        key: names.get(each, each) if isinstance(each, str) else each
        for key, each in placement.figures.items()
    }
    member = names.get(placement.member, placement.member)
    return placement._replace(member=member, figures=figures)


def added_up(placements: Iterable[Placement]) -> dict[str, set[tuple[str, str]]]:
    """Return what each holder has after all steps: roles with items; nobody has any before.

    >>> steps = [Placement("a", "t-0", Effect.KEPT), Placement("b", "t-1", Effect.GIVEN)]
    >>> added_up([*steps, steps[0]._replace(effect=Effect.TAKEN)])
    {'a': set(), 'b': {('', 't-1')}}
    """
    held: dict[str, set[tuple[str, str]]] = {}
    for each in placements:
        if each.effect is Effect.WAITS:
            continue
        has = held.setdefault(each.member, set())
        if each.effect is Effect.TAKEN:
            has.discard((each.role, each.item))
        else:
            has.add((each.role, each.item))
    return held
