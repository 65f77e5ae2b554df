"""The view "By urgency": each group with what is the matter, what waits, and what to do."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evaluation.answering.fleet_words import now, to_do
from evaluation.answering.of_fleet import FleetVerdict, GroupStanding, Urgency
from evaluation.judging import HORIZON_MIN, JudgeBy, Measure
from evaluation.wording import amount, percent, plural
from sources.fleet.states import LOOKED_AT, MOST_PARTITIONS
from sources.fleet.urgency import ByUrgency, Recorded
from ui.picture import fleet_rows
from ui.picture.fleet_rows import FleetList, FleetRow, FleetSection
from ui.picture.model import Tone

_MOST_POINTS: Final = 48
"""As many points of a course as its few pixels show."""
_TITLES: Final[Mapping[Urgency, tuple[str, str]]] = {
    Urgency.BEHIND: ("Not keeping up", ""),
    Urgency.WARNED: ("Need attention", ""),
    Urgency.BY_SETTING: ("A setting helps", ""),
    Urgency.BY_JAR: ("A jar helps", ""),
    Urgency.UNKNOWN: ("Too little known", ""),
    Urgency.OPEN: ("Open to check", ", which gain by one simulation"),
    Urgency.UNSEEN: ("Not looked at", ", whose last snapshots are not among those checked"),
    Urgency.REST: ("Nothing to change", ""),
}
_TONES: Final = {Urgency.BEHIND: Tone.RED, Urgency.WARNED: Tone.AMBER}
_UNCHECKED: Final = "Being checked"
_OTHERS: Final = "Others"
_FIRST: Final = 12
"""Groups to show until their last snapshots have been looked at."""


def show(found: ByUrgency, measure: Measure, see: Callable[[str, str], None]) -> None:
    """Show every group, the most urgent first; a click on a name calls ``see``."""
    fleet_rows.show(list_of(found, measure), see)


def list_of(found: ByUrgency, measure: Measure) -> FleetList:
    """Return the sections of a fleet, those in which nothing is to be changed folded."""
    verdict = found.verdict
    drawn = [_row(each, found.recorded[each.key]) for each in verdict.groups]
    if not verdict.is_checked:  # what is open to check is told once that has been done
        drawn = [replace(row, by_setting=0.0, with_jar=0.0, gain="", do="") for row in drawn]
    return FleetList(
        sections=_sections(verdict, drawn),
        load_head=f"{measure.noun.capitalize()} of the busiest consumer",
        note=_note(verdict, measure),
    )


def _sections(verdict: FleetVerdict, drawn: Sequence[FleetRow]) -> tuple[FleetSection, ...]:
    if not verdict.is_checked:
        return tuple(
            FleetSection(title=title, note=note, tone=Tone.NEUTRAL, rows=rows, is_folded=is_folded)
            for title, note, rows, is_folded in (
                (_UNCHECKED, plural(verdict.count, "group"), tuple(drawn[:_FIRST]), False),
                (_OTHERS, "", tuple(drawn[_FIRST:]), True),
            )
            if rows
        )
    found = []
    for urgency, (title, more) in _TITLES.items():
        those = verdict.those(urgency)
        rows = tuple(
            row for row, each in zip(drawn, verdict.groups, strict=False) if each.urgency is urgency
        )
        if those:
            found.append(
                FleetSection(
                    title=title,
                    note=f"{plural(len(those), 'group')}{more}",
                    tone=_TONES.get(urgency, Tone.NEUTRAL),
                    rows=rows,
                    is_folded=urgency >= Urgency.UNSEEN and len(those) < len(verdict.groups),
                )
            )
    return tuple(found)


def _row(group: GroupStanding, recorded: Recorded) -> FleetRow:
    own, jar, members = *_gains(group), recorded.members
    return FleetRow(
        cluster=group.cluster,
        name=group.name,
        size="consumers unknown" if math.isnan(members) else plural(int(members), "consumer"),
        now=now(group),
        tone=_TONES.get(group.urgency, Tone.NEUTRAL),
        course=_thinned(recorded.lags),
        behind="unknown" if math.isnan(group.waits) else amount(int(group.waits)),
        is_known=not math.isnan(group.waits),
        load=recorded.busiest_load,
        by_setting=own,
        with_jar=jar,
        gain=_gain_said(own, jar),
        do=to_do(group),
    )


def _thinned(lags: Sequence[float]) -> tuple[float, ...]:
    """Return no more than can be drawn, the last among them."""
    step = -(-len(lags) // _MOST_POINTS)
    return tuple(lags[(len(lags) - 1) % step :: step])


def _gains(group: GroupStanding) -> tuple[float, float]:
    """Return what a setting, and what a jar takes off, where that is what is proposed."""
    advice = group.advice
    if advice.strategy is None or not (advice.takes_jar or advice.strategy == group.setting):
        return 0.0, 0.0
    own = group.setting_gain if group.setting else 0.0
    own, jar = (0.0 if math.isnan(share) else share for share in (own, group.gain))
    return own, max(own, jar)


def _gain_said(own: float, jar: float) -> str:
    """Return the gains beside a bar.

    >>> _gain_said(0.41, 0.58), _gain_said(0.41, 0.41), _gain_said(0.0, 0.1), _gain_said(0.0, 0.0)
    ('−41 % (jar −58 %)', '−41 %', 'jar −10 %', '')
    """
    minus = "\N{MINUS SIGN}"
    with_jar = f"jar {minus}{percent(jar)}" if jar > own else ""
    if not own:
        return with_jar
    said = f"{minus}{percent(own)}"
    return f"{said} ({with_jar})" if with_jar else said


def _note(verdict: FleetVerdict, measure: Measure) -> str:
    said = [f"{measure.noun.capitalize()} of the busiest consumer: mean over the snapshots."]
    if measure.by is JudgeBy.WORK:
        said.append(f"Load is lag and the arrivals of {HORIZON_MIN:g} min.")
    looked = sum(each.verdict is not None for each in verdict.groups)
    if verdict.is_checked and looked < verdict.count:
        said.append(
            f"Now: at the last snapshot of the {LOOKED_AT} groups with most load, as far as they "
            f"have {MOST_PARTITIONS:,} partitions together."
        )
    if len(verdict.groups) < verdict.count:
        listed, count = len(verdict.groups), verdict.count
        said.append(f"{listed:,} of {count:,} groups; more are in By gain.")
    return " ".join(said)
