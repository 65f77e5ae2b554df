"""The log of a consumer looked at afterwards, counted by hand."""
# ruff: noqa: E501 -- logs keep the width of what wrote them

from dataclasses import replace

import pytest

from evaluation.rebalance.member_log import LoggedRebalance, LogTrigger
from sources.text import read_text
from tests.pasted import the_group
from tests.said import lacks
from ui.rebalance.logged import last_of, logged_table, said


def log(*lines: str, client: str = "van-1") -> str:
    """Return lines of a consumer of the group depot, a second apart."""
    return "\n".join(
        f"[2026-03-01 10:00:{second:02d},500] INFO [Consumer clientId={client}, groupId=depot] {said} (o.a.k.C)"
        for second, said in enumerate(lines)
    )


def joined(generation: int, strategy: str = "range", client: str = "van-1") -> str:
    return f"Successfully synced group in generation Generation{{generationId={generation}, memberId='{client}-f9', protocol='{strategy}'}}"


FIRST = (
    "(Re-)joining group",
    "Request joining group due to: need to re-join with the given member-id: van-1-f9",
    joined(3),
    "Adding newly assigned partitions: crates-0, crates-1, crates-2, tins-0",
)
TIMED_OUT = (
    "consumer poll timeout has expired. This means the time between subsequent calls to poll() was longer than the configured max.poll.interval.ms",
    "Member van-1-f9 sending LeaveGroup request to coordinator b:9092 (id: 1 rack: null) due to consumer poll timeout has expired.",
    "Resetting generation and member id due to: consumer pro-actively leaving the group",
    "Request joining group due to: consumer pro-actively leaving the group",
    "Lost previously assigned partitions crates-0, crates-1, crates-2, tins-0",
    "(Re-)joining group",
    joined(5),
    "Adding newly assigned partitions: crates-0, crates-1, crates-3",
)


def places(*names: str) -> frozenset[tuple[str, int]]:
    return frozenset((name.rpartition("-")[0], int(name.rpartition("-")[2])) for name in names)


def told(*lines: str) -> tuple[LoggedRebalance, ...]:
    return the_group(log(*lines)).logged


def test_a_consumer_that_polled_too_late_caused_it_and_stopped_what_came_back_for_nothing() -> None:
    first, last = told(*FIRST, *TIMED_OUT)

    assert (first.trigger, first.generation) == (LogTrigger.STARTED, 3)
    assert first.came == places("crates-0", "crates-1", "crates-2", "tins-0")
    assert (last.trigger, last.generation, last.strategy) == (LogTrigger.POLL_TIMEOUT, 5, "range")
    assert last.back == places("crates-0", "crates-1")
    assert last.gone == places("crates-2", "tins-0")
    assert last.came == places("crates-3")
    assert last.stopped_s == 3.0  # from "Lost" to "Adding"


def test_the_words_name_the_cause_the_needless_stop_and_what_another_class_would_have_done() -> (
    None
):
    texts = said(told(*FIRST, *TIMED_OUT))

    assert lacks(texts.finding, "van-1", "max.poll.interval.ms") == []
    assert lacks(texts.evidence, "4 partitions", "2", "3 s", "nothing", "1 came") == []
    assert lacks(texts.instead, "max.poll.records", "Cooperative sticky", "2 rebalances") == []


def test_of_several_consumers_the_longest_stop_of_what_came_back_is_said() -> None:
    (_, last) = told(*FIRST, *TIMED_OUT)
    longer = replace(last, consumer="van-2", stopped_s=9.0)
    moved_on = replace(last, consumer="van-3", stopped_s=70.0, added=frozenset())

    texts = said([last, longer, moved_on])

    assert lacks(texts.evidence, "12 partitions", "4 of them", "9 s") == []


def test_an_eager_revocation_for_a_consumer_elsewhere_is_of_others() -> None:
    (_, last) = told(
        *FIRST,
        "Attempt to heartbeat failed since group is rebalancing",
        "Request joining group due to: group is already rebalancing",
        "Revoke previously assigned partitions crates-0, crates-1, crates-2, tins-0",
        joined(4),
        "Adding newly assigned partitions: crates-0, crates-1, crates-2, tins-0",
    )

    assert (last.trigger, len(last.back), last.gone) == (LogTrigger.OTHERS, 4, frozenset())


def test_two_rounds_of_a_cooperative_assignor_are_one_rebalance() -> None:
    (_, last) = told(
        *FIRST[:2],
        joined(3, "cooperative-sticky"),
        FIRST[3],
        "Request joining group due to: group is already rebalancing",
        joined(4, "cooperative-sticky"),
        "Revoke previously assigned partitions tins-0",
        "Request joining group due to: need to revoke partitions [tins-0] as indicated by the current assignment and re-join",
        "Adding newly assigned partitions: ",
        joined(5, "cooperative-sticky"),
        "Adding newly assigned partitions: crates-7",
    )

    assert (last.rounds, last.trigger, last.generation) == (2, LogTrigger.OTHERS, 5)
    assert (last.given_up, last.back) == (places("tins-0"), frozenset())
    assert (last.added, last.owned) == (places("crates-7"), 4)
    assert lacks(said([last]).instead, "Cooperative") == ["Cooperative"]


@pytest.mark.parametrize(
    ("line", "trigger"),
    [
        (
            "Resetting generation and member id due to: encountered UNKNOWN_MEMBER_ID from HEARTBEAT response",
            LogTrigger.DROPPED,
        ),
        (
            "Request joining group due to: cached metadata has changed from (version4: {crates=3}) at the beginning of the rebalance to (version6: {crates=4})",
            LogTrigger.TOPICS,
        ),
        (
            "Group coordinator b:9092 (id: 1 rack: null) is unavailable or invalid due to cause: error response NOT_COORDINATOR.",
            LogTrigger.COORDINATOR,
        ),
        ("Something else", LogTrigger.UNTOLD),
    ],
)
def test_what_the_consumer_logged_first_is_the_cause(line: str, trigger: LogTrigger) -> None:
    last = told(*FIRST, line, joined(4), "Adding newly assigned partitions: ")[-1]

    assert last.trigger is trigger


def test_a_consumer_that_was_closed_has_left_with_what_it_owned() -> None:
    last = told(
        *FIRST,
        "Revoke previously assigned partitions crates-0, crates-1, crates-2, tins-0",
        "Member van-1-f9 sending LeaveGroup request to coordinator b:9092 (id: 1 rack: null) due to the consumer is being closed",
    )[-1]

    assert (last.trigger, last.owned, len(last.gone)) == (LogTrigger.CLOSED, 0, 4)


def test_of_several_consumers_in_one_log_the_one_that_caused_it_leads() -> None:
    other = log(
        "Attempt to heartbeat failed since group is rebalancing",
        "Revoke previously assigned partitions tins-1",
        joined(5, client="van-2"),
        "Adding newly assigned partitions: tins-1, crates-2",
        client="van-2",
    )
    (reading,) = read_text(f"{other}\n{log(*FIRST, *TIMED_OUT)}")

    last = last_of(reading.logged)

    assert [each.consumer for each in last] == ["van-1", "van-2"]
    assert logged_table(reading.logged)["Needless"].tolist() == [1, 0, 2]


def test_a_log_of_another_client_tells_of_no_rebalance() -> None:
    text = "% Group depot rebalanced (memberid van-1-f9): assigned: crates [0], crates [1]"

    assert [each.logged for each in read_text(text)] == [()]
