"""No cell or heading of a CSV file runs as a formula in a spreadsheet."""

import csv
import io

import pandas as pd
import pytest

from ui.downloads import csv_of, encoded

SIGNS = "=+@-\u2212\uff1d\uff0b\uff20\uff0d\ufe66\ufe62\ufe6b\ufe63\u207c\u208c"
SEPARATORS = ',;|:\t\r\n\x00\x0b\x1f\x85\xa0\u2028\u3000 "\u060c\u3001\uff0c\uff1b\uff5c'
INVISIBLE = "\u200b\u200d\u2060\ufeff\xad\u202e\u034f\u115f\u3164\ufe0f\U000e0020"


def cells(text: str) -> list[str]:
    """Return the heading and the cell of a table with this text in both places."""
    table = pd.DataFrame({text: [text], "lag": [5]})
    encoded_ = encoded(lambda: table, "CSV").decode()
    heading, row = csv.reader(io.StringIO(encoded_, newline=""))
    assert row[1] == "5"
    return [heading[0], row[0]]


@pytest.mark.parametrize("sign", SIGNS)
def test_formulas_get_an_apostrophe_wherever_they_begin(sign: str) -> None:
    begins = [
        *SEPARATORS,
        *INVISIBLE,
        *(f"x{each}" for each in SEPARATORS),
        "x; ",
        "x,\u200b",
        "\t ",
    ]

    for begin in ["", *begins]:
        for rest in ("1", "1+1", "cmd|' /C calc'!A0", "SUM(1)"):
            if begin == "" and sign in "+-" and rest == "1":
                continue  # a plain number
            for text in cells(begin + sign + rest):
                assert text.index(sign) > 0
                assert text[text.index(sign) - 1] == "'", ascii(text)
                assert text.replace("'", "") == (begin + sign + rest).replace("'", "")


def test_a_list_in_a_cell_runs_no_formula() -> None:
    table = pd.DataFrame({"reasons": [["a", ";=1"], ("b", ",@x")]})

    encoded_ = encoded(lambda: table, "CSV").decode()

    assert ";'=1" in encoded_
    assert ",'@x" in encoded_


def test_plain_numbers_and_ordinary_names_stay_as_they_are() -> None:
    table = pd.DataFrame({"consumer": ["app-1", "-5", "+1.5", "-1e-5"]})

    assert encoded(lambda: table, "CSV").decode().splitlines() == [
        '"consumer"',
        '"app-1"',
        '"-5"',
        '"+1.5"',
        '"-1e-5"',
    ]


@pytest.mark.parametrize("text", ["app-1", "=1+1", "x; @y", 'a"b', "-5", "two\nlines"])
def test_a_small_table_is_written_as_a_frame_is(text: str) -> None:
    columns: dict[str, list[object]] = {
        text: [text, "b"],
        "lag": [5, None],
        "rate": [0.25, 1e6],
    }
    frame = pd.DataFrame(columns).astype({"lag": "Int64"})

    assert csv_of(columns) == encoded(lambda: frame, "CSV").decode()
