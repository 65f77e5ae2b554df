"""Plans as they are saved and opened again."""

import json
from datetime import date

import pytest

from assignors.catalogue import strategy_called
from assignors.model import Group
from evaluation.reading import Reading
from evaluation.what_if import Asked, Weather, WhatIf
from sources import group_json, plans
from sources.errors import SourceError
from sources.plans import Plan

GROUP = Group.of(["orders"], [2], ["a", "b"], owners=[0, 1], lags=[40, 5], id="checkout")
PLAN = Plan(
    reading=Reading(group=GROUP, strategy="range"),
    saved=date(2026, 11, 17),
    said="We should take +2 consumers.",
    stated={"throughput": "250"},
    asked=Asked(
        (WhatIf(), WhatIf("plan B", strategy_called("sticky"), 2, "orders", 4)),
        (Weather(), Weather(arrivals=1.5)),
    ),
)


def test_a_plan_comes_back_as_it_was_saved() -> None:
    found = plans.decode(plans.encode(PLAN))

    assert (found.saved, found.said, found.stated) == (PLAN.saved, PLAN.said, PLAN.stated)
    assert found.asked == PLAN.asked
    assert group_json.encode(found.reading) == group_json.encode(PLAN.reading)


def test_the_file_of_a_plan_opens_as_a_group_too() -> None:
    assert group_json.decode(plans.encode(PLAN)).group.lags.tolist() == [40, 5]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"plan": None}, "cut off or changed"),
        ({"plan": {"saved": "yesterday"}}, "cut off or changed"),
        ({"plan": {"saved": "2026-11-17", "what_ifs": [{"strategy": "stiky"}]}}, "mean 'sticky'"),
        ({"plan": {"saved": "2026-11-17", "stated": {"pause": 3}}}, "cut off or changed"),
        ({"topics": {"orders": -1}}, "topics"),
    ],
)
def test_a_file_that_was_changed_is_refused_in_a_sentence(
    changed: dict[str, object], said: str
) -> None:
    data = json.dumps(json.loads(plans.encode(PLAN)) | changed).encode()

    with pytest.raises(SourceError, match=said):
        plans.decode(data)


@pytest.mark.parametrize("data", [b"", b"[1]", b"\xff", group_json.encode(GROUP)])
def test_what_is_no_plan_is_told_what_to_open_and_where(data: bytes) -> None:
    with pytest.raises(SourceError, match=r"no saved plan.*under Open, Upload"):
        plans.decode(data)
