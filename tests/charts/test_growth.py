"""Every picture takes time proportional to what it names, even if the names are hostile."""

from collections.abc import Callable
from typing import Final

import pytest

from assignors.model import Group
from charts.heatmaps import consumer_by_topic
from charts.labels import short_names
from charts.lettering import literal, wrapped
from evaluation.comparing.load import Load
from evaluation.consumer_labels import labels
from tests.charts.outcomes import outcome
from tests.growth import MOST_SLOWDOWN, slowdown
from ui.untrusted import verbatim

pytestmark = pytest.mark.proof

NAMES: Final[dict[str, Callable[[int], list[str]]]] = {
    "two long ones that share words": lambda size: ["a-" * size + end for end in "xy"],
    "two long ones without words": lambda size: ["a" * size + end for end in "xy"],
    "two long ones of separators": lambda size: ["-" * size + end for end in "xy"],
    "one long one beside short ones": lambda size: ["a-" * size, *"xyz"],
    "many that share words": lambda size: [f"a-b-c-d-e-f-g-h-{k}" for k in range(size // 20)],
    "many that differ in the middle": lambda size: [
        f"{'a' * 9}{k}{'b' * 9}" for k in range(size // 20)
    ],
    "many of almost a UUID": lambda size: [
        f"{k:08x}-4c8a-45d9-bc52-afc12f787f2" for k in range(size // 40)
    ],
    "many with UUIDs": lambda size: [
        f"c-9a908325-4c8a-45d9-bc52-{k:012x}" for k in range(size // 40)
    ],
    "hexadecimal digits": lambda size: ["0123456789abcdef-" * (size // 17), "x"],
    "marks of Markdown": lambda size: ["*_`[]()<>&$" * (size // 11), "x"],
    "almost an address": lambda size: ["a@" * (size // 2) + "!", "x"],
}
DRAWN: Final[dict[str, Callable[[list[str]], object]]] = {
    "short names": short_names,
    "labels": lambda names: labels(names, {}),
    "lines of a label": lambda names: [wrapped(name) for name in names],
    "literal text": lambda names: [literal(name) for name in names],
    "text of a page": lambda names: [verbatim(name) for name in names],
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_names_are_shortened_in_proportion_to_their_size(
    names: Callable[[int], list[str]], draw: Callable[[list[str]], object]
) -> None:
    assert slowdown(lambda size: draw(names(size))) < MOST_SLOWDOWN


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_a_group_is_drawn_in_proportion_to_the_size_of_its_names(
    names: Callable[[int], list[str]],
) -> None:
    def drawn(size: int) -> None:
        own = [*dict.fromkeys(names(size // 4))]
        group = Group.fresh(dict.fromkeys(own[:50], 2), members=own)
        consumer_by_topic(group, [outcome(group, [0] * group.partition_count)], Load())

    assert slowdown(drawn) < MOST_SLOWDOWN
