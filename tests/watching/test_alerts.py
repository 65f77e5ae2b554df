"""When a verdict is told: once when it begins, changes and ends."""

from collections.abc import Sequence

import pytest

from evaluation.answering.verdicts import Verdict
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from watching.alerts import Alerts, Judged

K = VerdictKind
INTERVAL_S = 60.0


def found(kind: VerdictKind) -> Judged:
    return Judged(kind, Verdict(kind=kind).severity)


def told(
    kinds: Sequence[VerdictKind], since_s: float | None = None, least: Severity = Severity.WARNING
) -> list[str]:
    """What is told after each of these verdicts, "" for nothing."""
    alerts = Alerts(least, INTERVAL_S)
    steps = [alerts.after("orders", found(kind), since_s) for kind in kinds]
    return ["" if each is None else each.step.value for each in steps]


def test_a_verdict_that_holds_is_told_once_and_its_end_once() -> None:
    kinds = [K.HEALTHY, K.MORE_ARRIVES, K.MORE_ARRIVES, K.MORE_ARRIVES, K.HEALTHY, K.HEALTHY]

    assert told(kinds) == ["", "", "begun", "", "", "ended"]


def test_a_verdict_whose_figures_say_that_it_held_an_interval_is_told_at_once() -> None:
    assert told([K.HEALTHY, K.STOPPED], since_s=55.0) == ["", "begun"]


def test_a_verdict_of_one_poll_alone_is_never_told() -> None:
    kinds = [K.HEALTHY, K.REBALANCE_UNDER_WAY, K.HEALTHY, K.REBALANCE_UNDER_WAY, K.HEALTHY]

    assert told(kinds) == [""] * 5


def test_an_alert_goes_on_through_a_poll_without_it() -> None:
    kinds = [K.SLOWER, K.SLOWER, K.HEALTHY, K.SLOWER, K.SLOWER, K.HEALTHY, K.HEALTHY, K.HEALTHY]

    assert told(kinds) == ["", "begun", "", "", "", "", "ended", ""]


def test_a_change_is_told_once_it_holds() -> None:
    kinds = [K.SLOWER, K.SLOWER, K.STOPPED, K.SLOWER, K.STOPPED, K.STOPPED, K.STOPPED]

    assert told(kinds) == ["", "begun", "", "", "", "changed", ""]


def test_what_is_less_severe_than_asked_for_is_not_told() -> None:
    kinds = [K.MORE_ARRIVES, K.MORE_ARRIVES, K.NO_CONSUMERS, K.NO_CONSUMERS]

    assert told(kinds, least=Severity.ALARM) == ["", "", "", "begun"]


@pytest.mark.parametrize("is_alerting", [True, False])
def test_the_alert_of_a_group_that_is_gone_ends(is_alerting: bool) -> None:
    alerts = Alerts(Severity.WARNING, INTERVAL_S)
    for _ in range(1 + is_alerting):
        alerts.after("orders", found(K.STOPPED), None)

    lost = alerts.gone([])

    assert [name for name, _ in lost] == ["orders"] * is_alerting
    assert alerts.active == 0
    assert alerts.gone([]) == []
