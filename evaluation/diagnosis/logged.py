"""Why consumers left the group, as their own logs say it."""

from collections.abc import Iterable

from evaluation.diagnosis.findings import Finding, InstanceFenced, PollTimeout
from evaluation.rebalance.member_log import LoggedRebalance, LogTrigger


def told_by_logs(logged: Iterable[LoggedRebalance]) -> tuple[Finding, ...]:
    """Return the causes that logs name; rebalances of any other cause are nobody's fault here."""
    late, fenced = (dict[str, None](), dict[str, None]())
    for each in logged:
        if each.trigger is LogTrigger.POLL_TIMEOUT:
            late[each.consumer] = None
        elif each.trigger is LogTrigger.FENCED:
            fenced[each.consumer] = None
    found = [InstanceFenced(consumers=tuple(fenced))] if fenced else []
    return (*found, *([PollTimeout(consumers=tuple(late))] if late else []))
