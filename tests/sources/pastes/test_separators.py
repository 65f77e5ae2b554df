"""Thousands separators of other locales in columns of numbers."""

import pytest

from evaluation.reading import Reading
from sources.errors import SourceError
from sources.text import read_text

_HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def _reading(text: str) -> Reading:
    (reading,) = read_text(text)
    return reading


def _lags(text: str) -> list[int]:
    group = _reading(text).group
    assert group.is_lag_known.all()
    return [int(lag) for lag in group.lags]


@pytest.mark.parametrize("sign", [" ", "\xa0", "\u202f", "\u2009", "'", "\u2019", "\u02bc", "_"])
@pytest.mark.parametrize("between", [" ", "   ", "\t", " | "])
def test_thousands_may_be_set_apart_by_blanks_and_apostrophes(sign: str, between: str) -> None:
    rows = [
        ["pay", "orders", "0", "1~234~567", "1~234~600", "33", "app-1-a", "/10.0.0.1", "app-1"],
        ["pay", "orders", "1", "2~000", "13~500", "11~500", "app-2-b", "/10.0.0.2", "app-2"],
        ["pay", "orders", "2", "-", "9~000", "9~000", "-", "-", "-"],
    ]
    lines = [_HEADER.split(), *([cell.replace("~", sign) for cell in row] for row in rows)]

    text = "\n".join(between.join(line) for line in lines)

    assert _lags(text) == [33, 11_500, 9_000]
    group = _reading(text).group
    assert group.members == ("app-1-a", "app-2-b")
    assert group.present_owners.tolist() == [0, 1, -1]


def test_narrow_blanks_in_numbers_are_told_from_hard_blanks_between_columns() -> None:
    row = "pay orders 0 1~234~567 1~234~600 33 app-1-a /10.0.0.1 app-1"

    text = f"{_HEADER}{row}".replace(" ", "\xa0\xa0").replace("~", "\u202f")

    assert _lags(text) == [33]


def test_digits_that_may_be_joined_in_two_ways_are_no_number() -> None:
    with pytest.raises(SourceError, match="line 2"):
        read_text("TOPIC PARTITION LAG\norders 1 234 567\n")


def test_wider_gaps_between_columns_tell_which_digits_belong_together() -> None:
    text = "TOPIC   PARTITION  LAG      CONSUMER-ID\norders  1          234 567  app-1\n"

    assert _reading(text).group.lags.tolist()[1] == 234_567


def test_a_thousand_with_a_point_is_one_beside_numbers_with_points() -> None:
    text = (
        f"{_HEADER}pay orders 0 1.234.000 1.236.000 2.000 app-1-a /10.0.0.1 app-1\n"
        "pay orders 1 12.000 12.345 345 app-2-b /10.0.0.2 app-2\n"
    )

    assert _lags(text) == [2_000, 345]


@pytest.mark.parametrize("beside", ["0.500", "17.25"])
def test_a_point_beside_fractions_is_no_thousands_separator(beside: str) -> None:
    text = (
        "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG RATE CONSUMER-ID\n"
        f"orders 0 12.000 12.345 345 {beside} app-1\norders 1 5 7 2 {beside} app-1\n"
    )

    group = _reading(text).group

    assert not group.is_lag_known[0]
    assert group.lags[1] == 2
