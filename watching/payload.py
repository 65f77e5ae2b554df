"""An alert as JSON: what is the matter, where, what to do, and where to read on."""

from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

from evaluation.answering.answer import Answer
from evaluation.answering.as_data import figures_data, number
from evaluation.answering.words import words_of
from sources.links import encode
from watching.alerts import AlertEvent, Judged, Told
from watching.states import severity_of

RUNBOOK: Final = "docs/monitoring.md"
"""Has a section for each kind of verdict; an address of one's own may take its place."""
_MOST_NAMED: Final = 20
"""Consumers, hosts and partitions that an alert lists, each."""


def alert(
    told: Told, answer: Answer, *, cluster: str, page_url: str | None, runbook_url: str
) -> dict[str, object]:
    """Return the alert on a group with this answer."""
    given, verdict, words = answer.given, answer.verdict, words_of(answer)
    members = [answer.group.members[number] for number in verdict.members]
    hosts = dict.fromkeys(given.hosts[name] for name in members if name in given.hosts)
    return _head(told.step, cluster, given.group.id, told.was) | {
        "kind": verdict.kind.value,
        "severity": severity_of(answer).name.lower(),
        "since_s": number(verdict.since_s),
        "headline": words.headline,
        "evidence": words.evidence,
        "action": words.action,
        "consumers": members[:_MOST_NAMED],
        "hosts": [*hosts][:_MOST_NAMED],
        "partitions": [answer.group.partition_name(p) for p in verdict.partitions[:_MOST_NAMED]],
        "figures": figures_data(verdict.figures),
        "page": _page(answer, page_url),
        "runbook": f"{runbook_url}#{verdict.kind.value}",
    }


def gone(group: str, was: Judged, *, cluster: str) -> dict[str, object]:
    """Return the end of an alert on a group that the cluster no longer has."""
    return _head(AlertEvent.ENDED, cluster, group, was) | {
        "headline": f"The group {group} is gone.",
        "evidence": "",
        "action": "",
    }


def _head(step: AlertEvent, cluster: str, group: str, was: Judged | None) -> dict[str, object]:
    return {
        "event": step.value,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "cluster": cluster,
        "group": group,
        "was": None
        if was is None
        else {"kind": was.kind.value, "severity": was.severity.name.lower()},
    }


def _page(answer: Answer, page_url: str | None) -> str | None:
    """Return a link that opens the group as it was, with its history; None without a page."""
    if page_url is None:
        return None
    text = encode(answer.given)
    query = urlencode({"start": "Connect"} if text is None else {"group": text})
    return f"{page_url.rstrip('/')}/?{query}"
