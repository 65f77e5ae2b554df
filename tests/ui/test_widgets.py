"""Widgets shared by all pages."""

from streamlit.testing.v1 import AppTest

from tests.patience import PATIENCE_S
from tests.said import figures_in

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
    (error,) = AppTest.from_string(REFUSED, default_timeout=PATIENCE_S).run().error

    assert error.value.startswith("topics\\.\\[a\\]")
    assert "\\:red\\[x\\]" in error.value


def test_a_long_table_shows_its_first_rows_and_says_so() -> None:
    page = AppTest.from_string(LONG, default_timeout=PATIENCE_S).run()

    assert len(page.dataframe[0].value) == 5_000
    assert figures_in(page.caption[0].value) == ["5,000", "5,001"]


IDS = """
import pandas as pd
from evaluation.consumer_labels import labels
from ui import widgets

ids = [f"app-{k}-0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be0{k}" for k in (1, 2)]
rows = pd.DataFrame({"to": [*ids, "nobody"], "lag": [1, 2, 3]})
widgets.table(rows, "whole")
widgets.table(rows, "short", ids=dict(zip(ids, labels(ids, {}))))
"""


def test_tables_show_consumers_without_the_uuid_that_kafka_appends() -> None:
    whole, short = AppTest.from_string(IDS, default_timeout=PATIENCE_S).run().dataframe

    assert whole.value["to"].str.len().tolist() == [42, 42, 6]
    assert short.value["to"].tolist() == ["app-1", "app-2", "nobody"]
    assert short.value["lag"].tolist() == whole.value["lag"].tolist()
