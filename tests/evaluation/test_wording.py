import pytest

from evaluation.wording import above, amount, plural, without_uuids

UUIDS = ("0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07", "4be2a1d7-02c9-4f0e-8d11-7c6a90e3f58b")


def test_the_uuid_is_left_out_where_the_rest_tells_members_apart() -> None:
    names = without_uuids([f"app-{k}-{uuid}" for k, uuid in enumerate(UUIDS)])

    assert names == ("app-0", "app-1")


def test_ids_stay_whole_where_they_would_become_equal_or_empty() -> None:
    alike = [f"app-{uuid}" for uuid in UUIDS]
    bare = [f"-{UUIDS[0]}"]

    assert without_uuids(alike) == tuple(alike)
    assert without_uuids(bare) == tuple(bare)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "unknown"),
        (0, "0"),
        (9_999, "9,999"),
        (12_340, "12.3 k"),
        (674_380, "674 k"),
        (1_250_000, "1.25 M"),
        (38_783_236, "38.8 M"),
        (5_272_161_000, "5.27 G"),
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
