import pytest

from charts.labels import short_names


def uuids(count: int) -> list[str]:
    return [f"{k:08x}-4c8a-45d9-bc52-afc12f787f20" for k in range(count)]


def test_uuids_that_differ_late_keep_enough_to_stay_apart() -> None:
    names = [f"rdkafka-{uuid}" for uuid in uuids(300)]

    short = short_names(names)

    assert len(set(short)) == 300
    assert short[1] == "00000001…"


def test_names_that_differ_at_the_beginning_keep_it() -> None:
    names = [f"analytics{k}-in-vme1-{uuid}" for k, uuid in enumerate(uuids(3))]

    assert short_names(names) == ["analytics0-in-v…", "analytics1-in-v…", "analytics2-in-v…"]


def test_names_that_cannot_be_cut_apart_stay_whole() -> None:
    names = [f"{'x' * 20}{k:03d}{'y' * 20}" for k in range(3)]

    assert short_names(names) == names


def test_no_names_have_no_short_names() -> None:
    assert short_names([]) == []


def test_words_that_end_differently_are_not_shared() -> None:
    assert short_names(["reporting-service--eu", "reporting-service-us"]) == [
        "service--eu",
        "service-us",
    ]


@pytest.mark.slow
def test_very_long_names_take_time_in_proportion_to_their_length() -> None:
    # 250,000 shared words: cutting them one by one from whole names took a minute.
    assert short_names([f"{'a-' * 250_000}x", f"{'a-' * 250_000}y"]) == [
        "a-a-a-a-a-a-a-x",
        "a-a-a-a-a-a-a-y",
    ]
