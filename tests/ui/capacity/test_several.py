"""Plans of several groups in one table, added up by hand."""

import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.capacity.planning import ConsumerPlan, Margin, PlanKind
from evaluation.measuring.facts import Source
from evaluation.reading import Reading
from ui.capacity.several import TOTAL, AskedOfAll, PlannedGroup, table


def planned(title: str, today: int, consumers: int | None, price: float | None) -> PlannedGroup:
    plan = ConsumerPlan(
        kind=PlanKind.PARTITION if consumers is None else PlanKind.CONSUMERS,
        strategy=STRATEGIES["range"],
        today=today,
        consumers=consumers,
        least=consumers,
        headroom=0.2,
        rests_on=Source.STATED,
    )
    return row_of(title, today, plan, price)


def row_of(
    title: str, today: int, plan: ConsumerPlan | None, price: float | None = None
) -> PlannedGroup:
    group = Group.fresh({"t": 2}, [f"c{number}" for number in range(today)])
    return PlannedGroup(
        reading=Reading(group=group, format="JSON", rows=2),
        group=group,
        title=title,
        plan=plan,
        decided_by="",
        is_speed_least=title == "a",
        stated={},
        asked=AskedOfAll(600.0, Margin(), "nothing", price, "USD"),
    )


def test_a_group_without_a_number_stays_as_it_is_and_all_add_up() -> None:
    # 25 for 12 and 10 for 8 at 0.12 x 730 = 87.6 a month; 40 stay.
    groups = [("a", 12, 25), ("b", 8, 10), ("c", 40, None)]

    rows = table([planned(*each, 0.12) for each in groups]).set_index("Group")

    assert rows["Today"].to_dict() == {"a": 12, "b": 8, "c": 40, TOTAL: 60}
    assert rows["Plan"].dropna().to_dict() == {"a": 25, "b": 10, TOTAL: 75}
    assert rows["Rests on"].to_dict() == {
        "a": "stated; at least this speed",
        "b": "stated",
        "c": "stated",
        TOTAL: "",
    }
    assert rows["Headroom"].to_dict() == {"a": "20 %", "b": "20 %", "c": "-", TOTAL: ""}
    assert rows["USD a month"].to_dict()[TOTAL] == pytest.approx(15 * 87.6)


def test_without_a_price_there_is_no_money() -> None:
    rows = table([planned("a", 1, 2, None), planned("b", 1, 2, None)])

    assert not [name for name in rows if "month" in str(name)]


def test_a_group_of_which_nothing_is_known_counts_as_it_is() -> None:
    rows = table([planned("a", 1, 2, None), row_of("b", 5, None)]).set_index("Group")

    assert rows["Plan"].dropna().to_dict() == {"a": 2, TOTAL: 7}
    assert rows["With"]["b"] == rows["Headroom"]["b"] == rows["Rests on"]["b"] == "-"
