"""Groups in trouble, as pasted: who, why, what to do and how long stand first, on every page.

Eight consumers, worker-1 to worker-8, of 24 partitions in turn; snapshots a minute apart.
"""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.pages.compare_page import alarm, band, opened, paste, seen, texts
from tests.said import lacks

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
Flow = Callable[[int, int], tuple[int, int]]
"""What arrived and was read of a partition until a minute, beyond 80,000 records."""


def pasted(flow: Flow, minutes: int) -> AppTest:
    text = ""
    for minute in range(minutes):
        text += f"Tue Nov 24 10:0{minute}:00 UTC 2026\n{HEAD}"
        for p in range(24):
            end, read = (80_000 + count for count in flow(p, minute))
            worker = p % 8 + 1
            who = f"worker-{worker}-aa /10.0.0.{worker} worker-{worker}"
            text += f"orders orders {p} {read} {end} {end - read} {who}\n"
    page = opened()
    paste(page, text)
    return page


def stuck(partition: int, minute: int) -> tuple[int, int]:
    """40/s arrive everywhere; worker-2, -5 and -6 read nothing, and 20,000 wait for each third."""
    stands = partition % 8 + 1 in {2, 5, 6}
    return (2_400 * minute + 20_000, 0) if stands else (2_400 * minute, 2_400 * minute)


def slow(partition: int, minute: int) -> tuple[int, int]:  # noqa: ARG001 -- all are alike
    """60/s arrive and are read everywhere; for the last two minutes only 25/s are read."""
    return 3_600 * minute + 6_000, 3_600 * min(minute, 2) + 1_500 * max(minute - 2, 0)


def said(page: AppTest) -> str:
    """Return the page's texts in order, without the Markdown around names."""
    return seen(" ".join([texts(page), *(title.value for title in page.title)])).replace("-aa", "")


def test_consumers_that_stand_still_are_to_be_restarted_and_no_strategy_is_advised() -> None:
    # 9 partitions x 22,400 = 201,600 wait; 9 x 40 = 360/s arrive for them.
    page = pasted(stuck, 2)

    who = ("worker-2, worker-5 and worker-6", "10.0.0.2, 10.0.0.5 and 10.0.0.6", "read nothing")
    why = (*who, "for at least 1 min", "360/s", "202 k records wait")
    assert band(page)["tone"] == "red"
    copied = next(each["copies"] for each in band(page)["buttons"] if each["hasLink"])
    assert copied.splitlines()[-1] == "Snapshots of 2026-11-24 10:00:00 and 10:01:00."
    assert lacks(said(page), *why, "Restart these three. Another assignor will not help") == []
    rows = alarm(page)["chart"]["rows"]
    causes = [row["label"].removesuffix("-aa") for row in rows if row["isCause"]]
    assert causes == ["worker-2", "worker-5", "worker-6"]
    page.switch_page("pages/capacity.py").run()
    assert lacks(said(page), *why) == []


def test_a_slow_dependency_is_looked_for_where_all_read_more_slowly() -> None:
    # 24 x 60 = 1,440/s before and 24 x 25 = 600/s now.
    page = pasted(slow, 5)

    assert band(page)["tone"] == "amber"
    why = ("Every consumer reads more slowly", "600/s are read, 1,440/s before")
    assert lacks(said(page), *why, "Another assignor will not help") == []
    page.switch_page("pages/capacity.py").run()
    assert lacks(said(page), "Every consumer reads more slowly", "600/s", "1,440/s") == []


def test_a_group_that_nobody_reads_shows_its_backlog_by_topic() -> None:
    rows = "".join(
        f"audit audit-{topic} {p} {1_000 * p} {1_000 * p + lag} {lag} - - -\n"
        for topic, lag in (("events", 9_000), ("mails", 18_000))
        for p in range(6)
    )
    page = opened()
    paste(page, f"\nConsumer group 'audit' has no active members.\n\n{HEAD}{rows}")

    # 6 x 9,000 and 6 x 18,000.
    why = (
        "audit has no active consumer",
        "162 k records wait (audit-mails 108 k and audit-events 54.0 k)",
    )
    assert band(page)["tone"] == "red"
    assert lacks(said(page), *why, "Start its consumers") == []
    page.switch_page("pages/capacity.py").run()
    assert lacks(said(page), *why) == []
