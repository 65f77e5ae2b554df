"""The figures of a picture as CSV: a row a consumer, exact figures, and no formula from a name."""

import csv
from dataclasses import replace

from tests.ui.picture.test_drawn import PICTURE
from ui.picture.files import files_of
from ui.picture.model import BarChart, BarRow, BlockChart


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_each_consumer_has_its_load_and_its_partitions_under_every_strategy() -> None:
    found = files_of(PICTURE, "../orders")

    assert found["file"] == "orders-picture"
    assert rows_of(found["csv"])[1] == {
        "consumer": "consumer-b",
        "As it is now: records behind": "20000",
        "As it is now: partitions": "2",
        "As it is now: of unknown lag": "1",
        "Round robin: records behind": "50000",
        "Round robin: partitions": "2",
        "Round robin: of unknown lag": "0",
    }


def test_consumers_without_a_row_are_counted_and_their_figures_stay_empty() -> None:
    last = rows_of(files_of(replace(PICTURE, hidden=1_200), "g")["csv"])[-1]

    assert last.pop("consumer") == "1,200 others, not listed"
    assert set(last.values()) == {""}


def test_counts_of_partitions_are_written_once() -> None:
    counted = replace(PICTURE, is_counts=True, noun="partitions")

    heads = rows_of(files_of(counted, "g")["csv"])[0]

    assert [head for head in heads if "Round robin" in head] == [
        "Round robin: partitions",
        "Round robin: of unknown lag",
    ]


def test_rates_are_written_with_hosts_and_a_name_is_never_a_formula() -> None:
    row = BarRow(label="x", full_id="=1+1", upper=400.5, lower=0.0, host="10.0.0.1")

    (written,) = rows_of(files_of(BarChart(subject="Consumer", rows=(row,)), "g")["csv"])

    assert written == {
        "consumer": "'=1+1",
        "arrives/s": "400.5",
        "reads/s": "0.0",
        "host": "10.0.0.1",
    }


def test_tasks_have_no_figures_to_save() -> None:
    assert files_of(BlockChart(heads=("", "", "", "", ""), rows=(), legend=()), "g")["csv"] == ""
