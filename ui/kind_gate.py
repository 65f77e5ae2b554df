"""Groups for which no strategy of consumer groups is predicted: what they are, and their lag."""

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from assignors.kinds import GroupKind
from assignors.model import UNOWNED
from evaluation.answering.words import words_of
from evaluation.kinds.forecast import KindGroup
from evaluation.wording import plural
from ui import answers, readings, share, snapshots, widgets
from ui.group.consumers import add_consumers
from ui.header import name_group
from ui.lag_in_time.view import conclusion_line
from ui.picture import verdict
from ui.picture.band import band_of
from ui.scenario import Scenario
from ui.untrusted import verbatim

_MOST_ROWS = 10_000


def hindrance_of(current: Scenario) -> str:
    """Return why no strategy is shown for what is on screen, in one sentence; "" if one can be.

    Consumers that were added to a group without members, and partitions that were added to one
    without any, make it a consumer group to plan with.
    """
    reading, group = current.reading, current.group
    is_planned = reading.kind is GroupKind.OFFSETS and bool(group.member_count)
    if is_planned or (reading.kind.runs_consumer_strategies and group.partition_count):
        return ""
    return reading.hindrance


def stop_at_kind(current: Scenario, show: Callable[[Scenario, KindGroup], object]) -> None:
    """Show a page of the group's kind instead of the rest, where its members are known."""
    as_kind = current.reading.as_kind
    if as_kind is None:
        return
    name_group(current)
    show(current, as_kind)
    st.stop()


def stop_at(current: Scenario, *, is_named: bool = False) -> None:
    """Show what the group is instead of the rest of the page, unless strategies assign in it.

    Its name comes first, unless it stands above already.
    """
    if not hindrance_of(current):
        return
    reading, group = current.reading, current.group
    if not is_named:
        name_group(current)
        readings.choose_group(current)
    found = answers.answer_in(current)
    said = words_of(found)
    band = band_of(
        found,
        said,
        reading.hosts,
        is_example=bool(current.origin),
        taken=snapshots.taken(reading),
    )
    copying = [button for button in band.buttons if button.copies]
    link = urlencode(share.parameters(current)) if found.verdict.is_alarm else ""
    verdict.show(replace(band, buttons=tuple(copying)), link)
    snapshots.show(current)
    if reading.kind.runs_consumer_strategies:
        st.badge("Incomplete", color="blue")
    conclusion_line(current)
    for note in reading.notes:
        st.markdown(f":small[{verbatim(note)}]")
    if group.member_count:
        st.markdown(verbatim(f"{plural(group.member_count, reading.kind.member)}:"))
        widgets.table(_members(current), "Its members, with their client ids and hosts", pinned=())
    if group.partition_count:
        widgets.table(
            _partitions(current), "The lag of each partition, the largest first", pinned=()
        )
    if reading.kind is GroupKind.OFFSETS:
        add_consumers(current)
    st.stop()


def _members(current: Scenario) -> pd.DataFrame:
    group = current.group
    return pd.DataFrame(
        {
            current.reading.kind.member.capitalize(): group.members[:_MOST_ROWS],
            "Client id": [
                group.layout.client_ids.get(name, "") for name in group.members[:_MOST_ROWS]
            ],
            "Host": [
                current.reading.hosts.get(name, "").strip("/")
                for name in group.members[:_MOST_ROWS]
            ],
        }
    )


def _partitions(current: Scenario) -> pd.DataFrame:
    """Return the lag by partition, the largest first."""
    group = current.group
    shown = (-group.counted_lags).argsort(kind="stable")[:_MOST_ROWS].tolist()
    owners = group.present_owners
    return pd.DataFrame(
        {
            "Topic": [group.topics[int(group.topic_of_partition[p])] for p in shown],
            "Partition": [int(group.number_in_topic[p]) for p in shown],
            "Lag": pd.array(
                [int(group.lags[p]) if group.is_lag_known[p] else None for p in shown], "Int64"
            ),
            current.reading.kind.member.capitalize(): [
                "" if owners[p] == UNOWNED else group.members[int(owners[p])] for p in shown
            ],
        }
    )
