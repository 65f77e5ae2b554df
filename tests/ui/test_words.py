import pytest

from evaluation.wording import plural
from ui.words import above, amount


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "unknown"),
        (0, "0"),
        (9_999, "9,999"),
        (12_340, "12.3 k"),
        (674_380, "674 k"),
        (1_250_000, "1.2 M"),
        (38_783_236, "38.8 M"),
        (5_272_161_000, "5.3 G"),
        (2.5, "2.5"),
    ],
)
def test_an_amount_is_short_and_unknown_is_not_zero(value: float | None, text: str) -> None:
    assert amount(value) == text


def test_a_bound_of_zero_is_no_division() -> None:
    assert above(5, 0) == "above"
    assert above(0, 0) == "at"
    assert above(1001, 1000) == "under 1 % above"
    assert above(1500, 1000) == "50 % above"


def test_one_is_singular() -> None:
    assert plural(1, "topic") == "1 topic"
    assert plural(1_200, "topic") == "1,200 topics"
