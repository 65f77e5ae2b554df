"""Why a holder has a task, a connector or a partition: the strategy's steps, round by round."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from assignors.placements import Effect, Placement, renamed
from evaluation.kinds.board import WorkBlock, short_home
from evaluation.kinds.forecast import RoundCause
from evaluation.kinds.view import KindView
from evaluation.wording import natural

_DONE: Final[Mapping[Effect, str]] = {
    Effect.KEPT: "keeps it",
    Effect.GIVEN: "gets it",
    Effect.TAKEN: "gives it up",
    Effect.WAITS: "nobody gets it",
}


class KindStep(NamedTuple):
    """One step about one item."""

    number: int
    """Of the round, from 1."""
    cause: RoundCause
    at_s: float
    """Since the change."""
    holder: str
    """A thread, an instance, a worker, a consumer; "" for what waits."""
    does: str
    """"gets it", with the role if there are several: "gets it as standby"."""
    text: str
    """The rule with the figures that decided, one sentence."""


class WhyHeld(NamedTuple):
    """Why an item is with its holder in the end."""

    item: str
    role: str
    holder: str
    why: str


def items_in(view: KindView) -> list[str]:
    """Return the names of all that is placed, in the order in which people count."""
    boards = (view.now, view.then)
    held = {block.name for board in boards for each in board.holders for block in each.blocks}
    return sorted(held | {each.item for each in view.found.last.steps()}, key=natural)


def why(view: KindView, item: str) -> list[KindStep]:
    """Return what is done about an item, round by round; a round that repeats one is left out.

    For a task of Streams on the classic protocol instances come first, then their threads.
    """
    names, found = _names(view), []
    seen: list[tuple[object, ...]] = []
    for number, stage in enumerate(view.found.stages, start=1):
        own = [each for each in stage.steps() if each.item == item]
        kinds = [(each.member, each.rule, each.effect, each.role) for each in own]
        if kinds == seen:
            continue
        seen = [*kinds]
        for each in own:
            step = renamed(each, names)
            role = f" as {step.role}" if step.role not in {"", "active"} else ""
            found.append(
                KindStep(
                    number,
                    stage.cause,
                    stage.at_s,
                    step.member,
                    f"{_DONE[step.effect]}{role}",
                    step.text,
                )
            )
    return found


def why_each(view: KindView) -> list[WhyHeld]:
    """Return for all that is held in the end why its holder has it.

    It is the last step that gave it, else the last that kept it; for a thread of Streams on the
    classic protocol that of its instance comes first.
    """
    names = _names(view)
    steps: dict[tuple[str, str, str], Placement] = {}
    for stage in view.found.stages:
        told: dict[tuple[str, str, str], Placement] = {}
        for each in stage.steps():
            key = (each.member, each.role, each.item)
            if each.effect is Effect.TAKEN:
                told.pop(key, None)
            elif each.effect is not Effect.WAITS:
                before = steps.get(key, each) if each.effect is Effect.KEPT else each
                told[key] = before if before.effect is Effect.GIVEN else each
        steps = told
    found = []
    for holder in view.then.holders:
        if holder.is_gone:
            continue
        home = view.found.homes.get(holder.id, "")
        for block in holder.blocks:
            role = _role(block, is_of_task=bool(home))
            of_home = [steps.get((home, each, block.name)) for each in _OF_HOME.get(role, ())]
            own = (*of_home, steps.get((holder.id, role, block.name)))
            texts = [renamed(each, names).text for each in own if each is not None]
            found.append(WhyHeld(block.name, block.role.value, names[holder.id], " ".join(texts)))
    return found


_OF_HOME: Final[Mapping[str, Sequence[str]]] = {
    "active": ("active",),
    "standby": ("warm-up", "standby"),
}
"""The roles of an instance to which one of its threads' belongs."""


def _role(block: WorkBlock, *, is_of_task: bool) -> str:
    """Return the role of a block in steps."""
    if not is_of_task:
        return ""
    return "standby" if block.is_copy else "active"


def _names(view: KindView) -> dict[str, str]:
    """Return what holders and instances are called on screen."""
    holders = [*view.now.holders, *view.then.holders]
    names = {home: short_home(home) for home in view.found.homes.values()}
    return names | {each.id: f"{each.home} {each.label}".strip() for each in holders}
