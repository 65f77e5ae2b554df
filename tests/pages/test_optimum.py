"""The Optimum view of the Compare page."""

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from sources import samples
from tests.pages.compare_page import EXAMPLES, PASTE, opened, paste, picture


def test_each_strategy_shows_its_distance_from_the_optimum() -> None:
    page = opened(view="Fewest moves", strategies=["Lag-capped"])

    table = next(t.value for t in page.dataframe if "Busiest with even counts" in t.value)

    lag_capped = table.set_index("Strategy").loc["Lag-capped"]
    assert "optimal" in lag_capped["Busiest"]
    assert lag_capped["Most partitions"].endswith("optimal")


def moves_of(page: AppTest) -> pd.DataFrame:
    return next(t.value for t in page.dataframe if {"from", "to"} <= {*t.value})


def test_more_moves_never_leave_the_busiest_consumer_busier() -> None:
    page = opened(view="Fewest moves")

    page.slider(key="moves").set_value(0).run()
    none = moves_of(page)
    page.slider(key="moves").set_value(5).run()
    five = moves_of(page)

    gifts = none["to"].isin(["consumer-orders-11", "consumer-orders-12"])  # they own nothing
    assert gifts.all()
    assert len(none) < len(five) <= len(none) + 5
    assert not page.exception


def test_a_hot_partition_is_named_as_beyond_help() -> None:
    title = next(s.title for s in samples.SAMPLES if s.id == "hot-partition-scale-out")

    page = opened(view="Fewest moves", example=title)

    assert any("No assignor can help" in text.value for text in page.markdown)


@pytest.mark.parametrize("sample", EXAMPLES)
def test_every_example_has_limits(sample: samples.Example) -> None:
    page = opened(view="Fewest moves", example=sample.title)

    assert not page.error


def test_a_paste_shows_what_its_moves_buy() -> None:
    page = opened(view="Fewest moves")

    paste(page, PASTE)

    assert any("the busiest consumer goes from" in text.value for text in page.markdown)


def test_what_goes_to_idle_consumers_anyway_may_be_all_it_takes() -> None:
    # 10/s on each of 134 partitions: counts decide, and two consumers hold nothing
    page = opened(view="Fewest moves", total_rate="1340", judge="rate")

    (said,) = (text.value for text in page.markdown if "more in any case" in text.value)
    assert said.endswith("records/min; the 22 alone do as much.")
    assert "arrivals" in moves_of(page)


def test_pictures_and_limits_show_one_bound() -> None:
    # 5 x 900 and 5 x 100 for two consumers: an even share is 2,500, and one of them gets 3 x 900
    rows = [
        f"api t{t} {p} 0 {(900, 100)[p]} {(900, 100)[p]} c{p} /h c{p}"
        for t in range(5)
        for p in (0, 1)
    ]
    header = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    page = opened(view="Fewest moves")

    paste(page, "\n".join([header, *rows]))

    (said,) = (text.value for text in page.caption if "Lower bound" in text.value)
    assert said.startswith("Lower bound of the busiest consumer's lag: 2,700 (found 2,700)")
    page.session_state["would_help"] = True
    page.run()
    assert picture(page)["bound"]["text"] == "2,700"
    assert not any("2,500" in text.value for text in (*page.markdown, *page.caption))


def test_the_moves_and_what_they_save_come_before_how_far_strategies_are_from_the_bounds() -> None:
    page = opened(view="Fewest moves")

    moves, distances = page.dataframe[-2:]

    assert {"from", "to"} <= {*moves.value}
    assert "Moves" in distances.value
    assert not page.metric


def test_partitions_have_one_limit() -> None:
    page = opened(view="Fewest moves", judge="partitions")

    (said,) = (text.value for text in page.caption if text.value.startswith("Bounds"))
    assert (
        said == "Bounds: at least 12 partitions for some consumer, and 22 moves make counts even."
    )
    assert "lag" not in page.dataframe[-1].value
    assert picture(page)["isCounts"]
