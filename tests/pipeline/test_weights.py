"""The rates that assignors read, out of the table of lags."""

from pathlib import Path

import pytest

from pipeline.errors import PipelineError
from pipeline.weights import write_weights
from tests.pipeline.rates import lake_with


def test_each_cluster_has_a_file_with_the_median_rates_of_a_week(tmp_path: Path) -> None:
    rows = [
        ("eu", "orders", 1, 5.0, 0),
        ("eu", "orders", 0, 1.0, 0),
        ("eu", "orders", 0, 9.0, 1),
        ("eu", "orders", 0, 2.0, 2),
        ("eu", "orders", 0, 700.0, 24 * 8),  # older than a week
        ("eu", "orders", 2, None, 0),  # unknown, which is not zero
        ("us/1", "orders", 0, 0.25, 0),
    ]
    lake, version = lake_with(tmp_path / "tables", rows)

    written = write_weights(lake, version, tmp_path / "rates")

    assert [file.name for file in written] == ["eu.rates", "us%2F1.rates"]
    assert written[0].read_text() == "orders 0 2.000\norders 1 5.000\n"
    assert written[1].read_text() == "orders 0 0.250\n"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    lake, version = lake_with(tmp_path / "tables", [("eu", "orders", 0, 1.0, 0)])
    (tmp_path / "rates").write_text("a file")

    with pytest.raises(PipelineError, match="could not be written to"):
        write_weights(lake, version, tmp_path / "rates")
