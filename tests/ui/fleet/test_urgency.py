"""The groups of a fleet by urgency, as they are drawn."""

from evaluation.answering.of_fleet import Advice, FleetVerdict, GroupStanding
from evaluation.judging import LAG
from sources.fleet.urgency import ByUrgency, Recorded
from ui.fleet.urgency import list_of


def test_the_course_of_a_lag_ends_at_the_last_snapshot() -> None:
    lags = (*(0.0 for _ in range(100)), 7_000.0)  # as many as are drawn thinned out
    group = GroupStanding(cluster="c", name="g", advice=Advice(), waits=lags[-1])
    recorded = Recorded(lags=lags, members=1.0, busiest_load=7_000.0)

    found = list_of(
        ByUrgency(verdict=FleetVerdict(groups=(group,), count=1), recorded={group.key: recorded}),
        LAG,
    )

    ((row,),) = (section.rows for section in found.sections)
    assert row.course[-1] == 7_000
    assert len(row.course) <= 48
