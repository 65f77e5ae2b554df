"""No cell or heading of a CSV file runs as a formula in a spreadsheet."""

import csv
import io

import pandas as pd
import pytest

from ui.downloads import encoded


@pytest.mark.parametrize(
    "name",
    ["=1+1", "x\r=1+1", "x;=1+cmd|' /C calc'!A0", "x,@SUM(1)", "\N{FULLWIDTH EQUALS SIGN}1+1"],
)
def test_formulas_get_an_apostrophe_wherever_they_begin(name: str) -> None:
    table = pd.DataFrame({name: [name], "lag": [5]})

    rows = list(csv.reader(io.StringIO(encoded(lambda: table, "CSV").decode(), newline="")))

    for text in (rows[0][0], rows[1][0]):
        for start in "=@\N{FULLWIDTH EQUALS SIGN}":
            at = text.find(start)
            assert at < 0 or text[at - 1] == "'"
    assert rows[1][1] == "5"


def test_plain_numbers_and_ordinary_names_stay_as_they_are() -> None:
    table = pd.DataFrame({"consumer": ["app-1", "-5", "+1.5"]})

    assert encoded(lambda: table, "CSV").decode().splitlines() == [
        '"consumer"',
        '"app-1"',
        '"-5"',
        '"+1.5"',
    ]
