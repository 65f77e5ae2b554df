"""What all pages show in the same way."""

from streamlit.testing.v1 import AppTest

REFUSED = """
from ui import widgets

widgets.refusal(ValueError("topics.[a](https://example.com): found :red[x]"))
"""
LONG = """
import pandas as pd
from ui import widgets

widgets.table(pd.DataFrame({"Strategy": ["x"] * 5_001, "Lag": 12_345}), "lags", labels={"Lag": "L"})
"""


def test_what_is_refused_is_one_sentence_and_quotes_stay_text() -> None:
    (error,) = AppTest.from_string(REFUSED, default_timeout=60).run().error

    assert error.value.startswith("topics\\.\\[a\\]")
    assert "\\:red\\[x\\]" in error.value


def test_a_long_table_shows_its_first_rows_and_says_so() -> None:
    page = AppTest.from_string(LONG, default_timeout=60).run()

    assert len(page.dataframe[0].value) == 5_000
    assert page.caption[0].value == "The first 5,000 of 5,001 rows; the downloads hold all of them."
