"""Whom the picture of an alarm names: nobody while owners are on their way."""

from collections.abc import Sequence

import numpy as np
import pytest

from evaluation.answering.compose import answer_of
from evaluation.measuring.movement import moved
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.answers import NextRebalance
from tests.doors import texts
from tests.pasted import the_group
from tests.said import lacks
from ui.compare.alarm import incident_picture
from ui.compare.flows import flows_of
from ui.picture.model import BarChart, FactTable, IncidentPicture

_UNDER_WAY = "Warning: Consumer group 'clicks' is rebalancing.\n"


def picture(text: str) -> tuple[VerdictKind, IncidentPicture]:
    reading = the_group(text)
    answer = answer_of(given_of(reading), NextRebalance())
    drawn = incident_picture(answer.group, answer.known.times, None, reading.hosts, answer.verdict)
    return answer.verdict.kind, drawn


@pytest.mark.parametrize(("stopped", "drawn"), [(2, 12), (14, 14), (27, 24)])
def test_all_that_stand_still_are_drawn_up_to_two_dozen_and_a_dozen_at_least(
    stopped: int, drawn: int
) -> None:
    flows = [
        texts.Flow(k + 1, 100_000, 9_000, 50.0, 0.0 if k < stopped else 50.0) for k in range(30)
    ]
    answer = answer_of(given_of(the_group(texts.snapshots(flows, dated=True))), NextRebalance())
    group, known = answer.group, answer.known
    rates = flows_of(known.times, moved(group, known.history))

    chart = incident_picture(group, known.times, rates, {}, answer.verdict).chart

    assert answer.verdict.kind is VerdictKind.STOPPED
    assert isinstance(chart, BarChart)
    assert [row.is_cause for row in chart.rows] == [k < stopped for k in range(drawn)]
    assert lacks(chart.below, str(30 - drawn)) == []


def test_what_an_offset_jumped_over_is_not_shown_as_read() -> None:
    rows = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    text = "".join(
        f"2026-11-27T10:0{k}:00Z\n{rows}g t 0 {read} {end} {end - read} c-1 /10.0.0.1 c\n\n"
        for k, (read, end) in enumerate([(1_000, 500_000), (1_600, 500_600), (501_000, 501_200)])
    )
    answer = answer_of(given_of(the_group(text)), NextRebalance())
    known = answer.known

    shown = flows_of(known.times, moved(answer.group, known.history))

    assert answer.verdict.kind is VerdictKind.OFFSETS_SKIPPED
    assert shown is not None
    assert shown.is_per_second
    assert shown.arriving.tolist() == [10.0]
    assert np.isnan(shown.reading).all()


@pytest.mark.parametrize(
    ("reads", "kind", "is_red"),
    [(0.0, VerdictKind.STOPPED, True), (25.0, VerdictKind.FULL, False)],
)
def test_the_picture_is_red_where_the_band_is_and_orange_below_a_warning(
    *, reads: float, kind: VerdictKind, is_red: bool
) -> None:
    flows = [texts.Flow(k + 1, 100_000, 9_000, 50.0, reads if k % 2 else 25.0) for k in range(4)]
    answer = answer_of(given_of(the_group(texts.snapshots(flows, dated=True))), NextRebalance())
    group, known = answer.group, answer.known

    drawn = incident_picture(
        group, known.times, flows_of(known.times, moved(group, known.history)), {}, answer.verdict
    )

    assert answer.verdict.kind is kind
    assert (answer.verdict.severity is Severity.ALARM) is is_red
    assert isinstance(drawn.chart, BarChart)
    assert isinstance(drawn.beside, FactTable)
    assert (drawn.chart.is_alarm, drawn.beside.is_alarm) == (is_red, is_red)


def test_offsets_beyond_the_end_are_drawn_against_it_the_furthest_first() -> None:
    flows = [texts.Flow(1, 50_000, -48_000), texts.Flow(2, 50_000, -49_000)]

    kind, drawn = picture(texts.describe([*flows, texts.Flow(3, 700, 5)]))

    assert kind is VerdictKind.AHEAD_OF_LOG
    assert isinstance(drawn.chart, BarChart)
    rows = [(row.upper, row.lower, row.upper_said) for row in drawn.chart.rows]
    assert rows == [(50_000, 1_000, "49.0 k beyond"), (50_000, 2_000, "48.0 k beyond")]
    assert drawn.chart.is_alarm


def owners_said(drawn: IncidentPicture) -> set[str]:
    assert isinstance(drawn.beside, FactTable)
    return {row[1] for row in drawn.beside.rows}


def test_while_a_rebalance_is_under_way_no_consumer_is_the_cause_and_no_owner_is_missing() -> None:
    flows = [texts.Flow(1, 0, 5_000), texts.Flow(2, 0, 2_000), texts.Flow(None, 0, 8_000)]
    kind, drawn = picture(_UNDER_WAY + texts.describe(flows))

    assert kind is VerdictKind.REBALANCE_UNDER_WAY
    assert isinstance(drawn.chart, BarChart)
    assert not any(row.is_cause for row in drawn.chart.rows)
    assert isinstance(drawn.beside, FactTable)
    assert not drawn.beside.is_alarm
    assert not any(drawn.beside.causes)
    assert owners_said(drawn) == {"worker-1", "worker-2", "being assigned"}


def test_without_a_rebalance_a_missing_owner_is_nobody() -> None:
    flows = [texts.Flow(1, 0, 5_000), texts.Flow(2, 0, 2_000), texts.Flow(None, 0, 8_000)]
    kind, drawn = picture(texts.describe(flows))

    assert kind is not VerdictKind.REBALANCE_UNDER_WAY
    assert "nobody" in owners_said(drawn)


def test_a_group_without_consumers_is_drawn_by_partition() -> None:
    kind, drawn = picture(texts.snapshots(texts.dead(), dated=True))

    assert kind is VerdictKind.NO_CONSUMERS
    assert isinstance(drawn.chart, BarChart)
    assert drawn.chart.subject == "Partition"
    assert len(drawn.chart.rows) == len(texts.dead())


def test_members_without_any_partition_are_not_drawn_with_a_lag_of_0() -> None:
    rows = ("g t 0 0 9000 9000 - - -", "g t 1 0 0 0 - - -", "g - - - - - a-1 /10.0.0.1 a")
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    _, drawn = picture("\n".join((_UNDER_WAY.replace("clicks", "g").strip(), head, *rows)))

    assert isinstance(drawn.chart, BarChart)
    assert [(row.label, row.lower) for row in drawn.chart.rows] == [("t-0", 9_000), ("t-1", 0)]


def test_an_age_that_the_arrival_rate_gives_has_a_sign_in_the_table() -> None:
    # 100/s arrive: 206,000 records are 34 min 20 s old, 6,000 as old as the first snapshot.
    flows = [texts.Flow(1, 90_000, 200_000, 100.0), texts.Flow(2, 90_000, 0, 100.0)]
    kind, drawn = picture(texts.snapshots(flows, dated=True))

    assert kind is VerdictKind.STOPPED
    assert isinstance(drawn.beside, FactTable)
    assert [row[-1] for row in drawn.beside.rows] == ["≈ 34 min 20 s", "1 min"]


_HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def test_an_unknown_lag_is_no_lag_of_zero_in_the_picture() -> None:
    # c-1 has committed nothing, and nobody owns t-2, whose records nobody has read either.
    rows = ("0 100 9100 9000 c-1-a /h c-1", "1 - 700 - c-2-a /h c-2", "2 - 800 - - - -")
    kind, drawn = picture(_HEAD + "".join(f"g t {row}\n" for row in rows))

    assert kind is VerdictKind.NOBODY_READS
    assert isinstance(drawn.chart, BarChart)
    assert [row.lower_said for row in drawn.chart.rows] == ["9,000", "unknown"]
    assert isinstance(drawn.beside, FactTable)
    lags = [head.label for head in drawn.beside.heads].index("Records behind")
    assert [(row[0], row[lags]) for row in drawn.beside.rows] == [
        ("t-2", "unknown"),
        ("t-0", "9,000"),
    ]
    assert drawn.beside.causes == (True, False)


def listed(*moments: Sequence[tuple[int, int]]) -> tuple[VerdictKind, FactTable]:
    """Return the table beside the alarm on a consumer per partition, a minute between moments."""
    text = "\n".join(
        texts.describe(
            [texts.Flow(p, read, end - read) for p, (read, end) in enumerate(offsets)],
            date=f"2026-11-27T10:0{minute}:00Z",
        )
        for minute, offsets in enumerate(moments)
    )
    kind, drawn = picture(text)
    assert isinstance(drawn.beside, FactTable)
    return kind, drawn.beside


def test_logs_that_lost_their_end_come_first_though_nothing_waits_in_them() -> None:
    before = [(100_000, 100_000), (100_000, 100_000), *[(50_000, 50_300)] * 11]
    after = [(99_000, 99_000), (98_000, 98_000), *[(50_600, 50_900 + p) for p in range(11)]]

    kind, table = listed(before, after)

    assert kind is VerdictKind.LOG_TRUNCATED
    assert [row[0] for row in table.rows[:3]] == [
        "clickstream-0",
        "clickstream-1",
        "clickstream-12",
    ]
    assert table.causes == (True, True, *[False] * 8)
    assert table.title == "Partitions, causes first"


def test_what_waits_most_comes_first_where_the_cause_has_most() -> None:
    before = [(9_000, 9_000 + 100 * p) for p in range(4)]
    after = [*((end, end) for _, end in before[:3]), (9_000, 10_000)]

    kind, table = listed(before, after)

    assert kind is VerdictKind.STOPPED
    assert [row[0] for row in table.rows] == ["clickstream-3"]
    assert table.title == "Partitions furthest behind"


def test_what_a_job_without_members_reads_is_not_read_by_nobody() -> None:
    flows = [texts.Flow(None, 100_000, 300_000, 2_000.0, 3.0) for _ in range(2)]
    kind, drawn = picture(texts.snapshots(flows, dated=True))

    assert kind is VerdictKind.OUTSIDE_BEHIND
    assert owners_said(drawn) == {"no member"}


def test_a_negative_lag_without_offsets_is_drawn_as_lag_and_has_no_upper_bar() -> None:
    kind, drawn = picture("group,topic,partition,lag,member\ng,t,0,-49880,a\ng,t,1,700,b\n")

    assert kind is VerdictKind.AHEAD_OF_LOG
    assert isinstance(drawn.chart, BarChart)
    assert drawn.chart.upper == ""
    assert all(np.isnan(row.upper) for row in drawn.chart.rows)
