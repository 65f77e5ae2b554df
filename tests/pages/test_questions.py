"""Users' real questions, each answered on screen from a paste."""

import json
from collections.abc import Sequence

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.compare_page import (
    ALL,
    columns,
    drawn,
    figures,
    loads,
    opened,
    paste,
    picture,
    texts,
)
from tests.patience import PATIENCE_S
from tests.said import lacks


def asked(
    topics: dict[str, int],
    consumers: int,
    lags: dict[str, list[int]] | None = None,
    owned: dict[int, list[tuple[str, int]]] | None = None,
    **link: str | Sequence[str],
) -> AppTest:
    """Open the page with every strategy; paste a group whose consumers subscribe to everything."""
    members = [
        {"id": f"c{m:02d}", "topics": list(topics), "owned": (owned or {}).get(m, [])}
        for m in range(consumers)
    ]
    group = {"id": "asked", "members": members, "lags": lags or {}}
    group["topics"] = {name: {"partitions": count} for name, count in topics.items()}
    page = opened(**({"strategies": ALL} | link))
    paste(page, json.dumps(group))
    return page


def rows(page: AppTest) -> dict[str, dict[str, float]]:
    """Return the figures on screen, by strategy."""
    return {
        str(name): {str(column): value for column, value in row.items()}
        for name, row in figures(page).iterrows()
    }


def test_why_some_consumers_get_one_partition_and_some_sixteen() -> None:
    page = asked({f"t{t:02d}": 1 + t % 12 for t in range(30)}, 12)

    table = rows(page)
    assert table["Range"]["Most partitions"] >= table["Range"]["Partition spread"] > 15
    assert table["Sticky"]["Partition spread"] <= 1
    page.pills(key="view").set_value("Why").run()
    assert "Range: Cuts each topic alone" in texts(page)
    assert columns(page)["Range"]["busiest"]["text"] == "30"


def test_without_any_known_lag_no_picture_of_lag_is_drawn() -> None:
    bars = asked({"a": 5}, 2, strategies=["Range"])
    heatmaps = asked({"a": 5}, 2, strategies=["Range"], view="Topics")

    assert loads(bars, "Range") == {"c00": "3", "c01": "2"}
    assert picture(bars)["isCounts"]
    assert drawn(heatmaps, 0, "z") == [[3], [2]]
    assert not any(control.key == "colour" for control in heatmaps.segmented_control)


def test_how_many_of_ten_consumers_stay_idle() -> None:
    page = asked({"a": 5, "b": 3}, 10)

    idle = figures(page)["Idle"]
    assert idle["Range"] == 5
    assert idle["Round robin"] == 2


def test_equal_totals_can_be_unequal_within_a_topic() -> None:
    page = asked({"a": 3, "b": 3}, 2, strategies=["Round robin"])

    spread = rows(page)["Round robin"]["Partition spread"]
    page.pills(key="view").set_value("Topics").run()

    assert spread == 0
    assert drawn(page, -1, "z") == [[2, 1], [1, 2]]


def test_equal_counts_do_not_mean_equal_lag() -> None:
    page = asked({"a": 4, "b": 4}, 2, {"a": [1000, 10, 1000, 10], "b": [100, 1, 100, 1]})

    row = rows(page)["Round robin"]
    assert (row["Partition spread"], row["Lag spread"]) == (0, 2178)


def test_which_strategy_explains_the_assignment_that_was_pasted() -> None:
    owned = {0: [("a", 0), ("a", 1), ("b", 0), ("b", 1)], 1: [("a", 2), ("b", 2)]}

    page = asked({"a": 3, "b": 3}, 2, owned=owned, view="Why")

    fits = next(t.value for t in page.dataframe if "Fits" in t.value).set_index("Strategy")["Fits"]
    assert fits["Range"] == "exactly"
    assert fits["Round robin"] != "exactly"


def test_one_partition_far_above_the_rest_is_beyond_any_strategy() -> None:
    page = asked({"a": 6}, 3, {"a": [24_000] + [1_000] * 5}, view="Fewest moves")

    assert "No assignor can help" in texts(page)
    assert not lacks(texts(page), "a-0 alone", "83 %")


def test_assigning_by_lag_restarts_with_every_topic() -> None:
    lags = {f"t{t}": [1000, 10] if t % 2 == 0 else [10, 1000] for t in range(4)}

    page = asked(dict.fromkeys(lags, 2), 2, lags)

    table = figures(page)["Busiest"]
    assert (table["Range"], table["Lag-based"], table["Lag-capped"]) == (2020, 4000, 2020)
    page.pills(key="view").set_value("Why").run()
    assert "Lag-based: Restarts its totals in each topic" in texts(page)


def test_which_consumer_is_lagging() -> None:
    owned = {0: [("a", 0)], 1: [("a", 1)]}

    page = asked({"a": 2}, 2, {"a": [5, 900]}, owned=owned, view="Why")

    assert not lacks(texts(page), "c01 has", "900 records")


def test_more_consumers_do_not_help_where_one_partition_holds_the_lag() -> None:
    few = asked({"a": 64}, 4, {"a": [0] * 63 + [50_000]})
    many = asked({"a": 64}, 64, {"a": [0] * 63 + [50_000]})

    assert set(figures(few)["Busiest"]) == set(figures(many)["Busiest"]) == {50_000}
    assert picture(many)["bound"]["text"] == "50.0 k"


def test_eight_replicas_of_which_one_works() -> None:
    page = asked({"a": 1}, 8)

    assert set(figures(page)["Idle"]) == {7}


def test_what_share_is_read_across_racks() -> None:
    members = [{"id": f"c{m}", "topics": ["a"], "rack": "xyz"[m]} for m in range(3)]
    topics = {"a": {"partitions": 6, "racks": [["x"], ["x"], ["y"], ["y"], ["z"], ["z"]]}}
    page = opened(strategies=["Range", "Round robin"])
    paste(page, json.dumps({"id": "racks", "topics": topics, "members": members}))

    off_rack = figures(page)["Off rack"]
    page.pills(key="view").set_value("Fewest moves").run()

    assert (off_rack["Range"], off_rack["Round robin"]) == (0, 4)
    verdicts = next(t.value for t in page.dataframe if "Rack-local" in t.value)
    assert verdicts.set_index("Strategy").loc["Range", "Rack-local"] == "6: optimal"


def test_averages_hide_the_skew_of_three_thousand_partitions() -> None:
    lags = {"a": [10] * 2_999 + [90_000]}

    page = asked({"a": 3_000}, 30, lags)

    row = rows(page)["Range"]
    assert row["Even share"] < 5_000
    assert row["Busiest / even share"] > 15


def test_how_much_moves_when_one_consumer_joins_and_how_little_could() -> None:
    owned = {m: [("a", p) for p in range(m, 12, 3)] for m in range(3)}
    page = asked({"a": 12}, 3, owned=owned)

    page.switch_page("pages/rebalance.py").run()

    table = next(t.value for t in page.dataframe if "Fewest" in t.value).set_index("Strategy")
    sticky = [int(table[column].to_dict()["Sticky"]) for column in ("Moved", "Fewest", "Needless")]
    assert sticky == [3, 3, 0]
    assert int(table["Moved"].to_dict()["Range"]) > 3


def test_whether_static_membership_helps_in_a_rolling_deploy() -> None:
    page = asked({"a": 120}, 12, time_restarted="12", time_shared="120", pause="3.0")

    page.switch_page("pages/rebalance.py").run()
    page.segmented_control(key="rebalance_view").set_value("Over time").run()

    losses = next(t.value for t in page.dataframe if "With static ids" in t.value)
    by_protocol = losses.set_index("Protocol")
    assert by_protocol["Without static ids"].to_dict()["eager"] == 8_640
    assert set(by_protocol["With static ids"]) == {2_400}


@pytest.mark.proof
def test_three_thousand_partitions_and_consumers_of_unequal_speed() -> None:
    members = [
        {"id": f"c{m:03d}", "topics": ["a"], "throughput": 100 if m % 2 else 1_000}
        for m in range(450)
    ]
    group = {"id": "uneven", "topics": {"a": {"partitions": 3_000}}, "members": members}
    page = opened(strategies="Range", total_rate="0.0", pause="0.0", most_consumers="5")
    paste(page, json.dumps(group | {"lags": {"a": [1_000] * 3_000}}))

    page.switch_page("pages/capacity.py").run(timeout=PATIENCE_S)

    assert not page.exception
    table = next(t.value for t in page.dataframe if "Time today (s)" in t.value)
    today = float(table.set_index("Strategy")["Time today (s)"].to_dict()["Range"])
    assert today == 7_000 / 100  # a slow consumer's seven partitions, not the mean speed's
