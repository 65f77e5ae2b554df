"""Several snapshots of a group: what would have been advised, and whether it kept."""

import pytest

from tests.pages.compare_page import opened, paste, seen, texts


def snapshots(*lags: tuple[int, int, int, int]) -> str:
    """Return pastes a minute apart of four partitions, two each of two consumers, that are read."""
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    shown = ""
    for minute, four in enumerate(lags):
        read = 9_000 * (minute + 1)
        rows = "".join(
            f"g t {p} {read} {read + lag} {lag} app-{p // 2}-aa /10.0.0.{p // 2} app-{p // 2}\n"
            for p, lag in enumerate(four)
        )
        shown += f"Tue Nov 24 10:0{minute}:00 UTC 2026\n{head}{rows}"
    return shown


UNEVEN, OTHERWISE = (4_000, 4_000, 10, 10), (4_000, 10, 4_000, 10)
KEPT = (
    "Tested on the past: after the first 2 of 4 snapshots, Round robin promised 50 % less "
    "lag on the busiest consumer, and on the other 2 it kept 50 %."
)
LOST = (
    "after the first 2 of 3 snapshots, Round robin promised 50 % less lag on the busiest "
    "consumer, but on the other it would have been 99.5 % more: the advice did not keep."
)


@pytest.mark.parametrize(
    ("rounds", "wanted"), [([UNEVEN] * 4, KEPT), ([UNEVEN, UNEVEN, OTHERWISE], LOST)]
)
def test_several_snapshots_say_what_was_promised_and_kept(
    rounds: list[tuple[int, int, int, int]], wanted: str
) -> None:
    page = opened(view="Why")

    paste(page, snapshots(*rounds))
    page.selectbox(key="judge").set_value("lag").run()

    assert wanted in seen(texts(page))


def test_one_snapshot_tests_nothing() -> None:
    page = opened()

    paste(page, snapshots(UNEVEN))

    assert "Tested on the past" not in texts(page)
