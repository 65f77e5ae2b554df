"""The page of a group that is no consumer group: a band, one picture, what is assumed, settings."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from assignors.connect.cluster import ConnectCluster
from assignors.share.preview import InconsistentMembersError
from evaluation.answering.of_kind import said_of
from evaluation.answering.verdicts import Verdict
from evaluation.kinds.board import Board
from evaluation.kinds.choices import choices_of
from evaluation.kinds.forecast import KindGroup
from evaluation.kinds.said import KindWords
from evaluation.kinds.size_words import size_words
from evaluation.kinds.view import KindView, view_of
from evaluation.severity import Severity
from evaluation.stated import InvalidNumberError
from evaluation.wording import duration
from ui import answers, questions, share, snapshots, widgets
from ui.choices.option import OptionChoice
from ui.kinds import asked, sinks, why
from ui.kinds.drawn import picture_of
from ui.picture import incident, verdict
from ui.picture.band import for_the_channel, to_hosts
from ui.picture.model import BandButton, Tone, VerdictBand
from ui.scenario import Scenario
from ui.untrusted import verbatim

_LEAVES: Final = "leaves"
_AS_IT_IS: Final = "as_it_is"
_STAGE: Final = "stage"
SETTINGS: Final = "Settings that matter here"


def show(current: Scenario, group: KindGroup, *, is_by_round: bool = False) -> KindView | None:
    """Show the answer on the group, or on what other members would bring, at once or by round.

    Return what is asked; None where a number was refused.
    """
    asked.take_up()
    leavers = leavers_of(view_of(group, current.reading.group))
    band, picture = st.container(), st.container()
    asked.ask_members(group, leavers)
    line = st.container()
    with line, st.container(horizontal=True, vertical_alignment="center", gap="small"):
        assumed = st.container(width="content")
        with st.popover("Change", type="tertiary"):
            asked.ask_settings(group)
        if isinstance(group, ConnectCluster):
            sinks.show(group)
    try:
        said = asked.stated_in(group)
        view = asked.view_in(current.reading, group, said, [name for name, _ in leavers])
    except (InvalidNumberError, InconsistentMembersError) as error:
        with band:
            widgets.refusal(error)
        return None
    answer = answers.answer_of_kind(current, view.said)
    words = said_of(view, answer)
    with band:
        _band(current, view, words, leavers, answer.verdict)
    with picture:
        board = _round_of(view) if is_by_round else _stage_of(view)
        incident.show(picture_of(view, board), view.read.id)
    with assumed:
        st.markdown(f":small[:gray[{verbatim(_assumed(view))}]]", help=_doubts(view) or None)
    _more(view, words)
    return view


def words_in(current: Scenario, view: KindView) -> KindWords:
    """Return what is said of what is asked about the group on screen."""
    return said_of(view, answers.answer_of_kind(current, view.said))


def leavers_of(view: KindView) -> list[tuple[str, str]]:
    """Return who could leave, by name and label: instances, then threads; workers; consumers."""
    shown = {each.id: each for each in view.now.holders}
    instances = {
        home: f"Instance {shown[name].home}"
        for name, home in view.found.homes.items()
        if name in shown
    }
    members = [(name, f"{each.home} {each.label}".strip()) for name, each in shown.items()]
    return [*instances.items(), *members]


def _band(
    current: Scenario,
    view: KindView,
    words: KindWords,
    leavers: list[tuple[str, str]],
    found: Verdict,
) -> None:
    if view.is_changed:
        buttons = [BandButton(key=_AS_IT_IS, label="As it is now")]
    else:
        who = "a worker" if isinstance(view.group, ConnectCluster) else "a consumer"
        who = "an instance" if view.found.homes else who
        buttons = [BandButton(key=_LEAVES, label=f"What if {who} leaves?")]
    is_alarm = words.severity >= Severity.WARNING and not view.is_changed
    if is_alarm:
        said = words.finding, words.evidence, words.action, snapshots.taken(current.reading)
        copied = for_the_channel(said)
        hosts = to_hosts(_hosts(view, found, current.reading.hosts))
        buttons = [replace(copied, is_main=not current.origin), *hosts, *buttons]
    link = urlencode(share.parameters(current)) if is_alarm else ""
    pressed = verdict.show(
        VerdictBand(
            tone=Tone.of(words.severity),
            finding=words.finding,
            evidence=words.evidence,
            action=words.action,
            buttons=tuple(buttons),
        ),
        link,
    )
    if pressed == _LEAVES and leavers:
        asked.ask_next(leavers[0][0])
        st.rerun()
    if pressed == _AS_IT_IS:
        asked.ask_next("")
        st.rerun()


def _hosts(view: KindView, found: Verdict, hosts: Mapping[str, str]) -> list[str]:
    """Return where those run whom the verdict is about, or who run the work that it is about."""
    about = set(found.work)
    ids = [view.read.members[member] for member in found.members]
    ids += [each.id for each in view.now.holders if about & {block.name for block in each.runs}]
    if isinstance(view.group, ConnectCluster):  # a worker's id is its host and port
        return [worker.rpartition(":")[0] for worker in ids]
    return [hosts.get(each, "") for each in ids]


def _stage_of(view: KindView) -> Board:
    """Let the visitor choose the stage; without a change there is but one."""
    if not view.is_changed:
        return view.now
    stages = {"At once": view.at_once, "At rest": view.then, "Now": view.now}
    if view.at_once == view.then:
        stages = {"At rest": view.then, "Now": view.now}
    return stages[OptionChoice(_STAGE).switch("Stage", list(stages))]


def _round_of(view: KindView) -> Board:
    """Let the visitor choose the round; before it stands the group as it is."""
    if not view.is_changed:
        return view.now
    stages = {"0. as it is": view.found.now}
    for number, stage in enumerate(view.found.stages, start=1):
        when = f"after {duration(stage.at_s)}" if stage.at_s else "at once"
        stages[f"{number}. {stage.cause.value}, {when}"] = stage.held
    names = list(stages)
    chosen = OptionChoice("round").pick("Round", [*names[1:], names[0]])
    return view.board(stages[chosen])


def show_choices(current: Scenario, group: KindGroup) -> None:
    """Show how far the group scales, and what each of several sizes would bring, side by side."""
    band = st.container()
    with st.popover("Settings"):
        asked.ask_settings(group)
    try:
        said, release = asked.stated_in(group), asked.release_in(group)
        start = view_of(group, current.reading.group, said, release=release)
    except (InvalidNumberError, InconsistentMembersError) as error:
        widgets.refusal(error)
        return
    rows = choices_of(start, leavers_of(start))
    words = size_words(start, rows)
    with band:
        verdict.show(
            VerdictBand(
                tone=Tone.of(words.severity),
                finding=words.finding,
                evidence=words.evidence,
                action=words.action,
            )
        )
    st.dataframe(
        pd.DataFrame(
            [
                (
                    each.label,
                    each.moved,
                    each.warm_up,
                    "at once" if not each.rest_s else duration(each.rest_s),
                    each.spread,
                    each.idle,
                    each.still,
                )
                for each in rows
            ],
            columns=["What", "Move at once", "Warm up", "At rest", "Then", "Idle", "Stopped"],
        ),
        hide_index=True,
    )
    st.caption("Each row stands for itself; Rebalance plays it round by round.")


def _assumed(view: KindView) -> str:
    places = {True: "Kafka Streams places tasks itself", False: "The broker shares partitions out"}
    text = places[bool(view.found.homes)]
    if isinstance(view.group, ConnectCluster):
        text = "Connect deals tasks by count"
    return f"{text}; no assignor can be set · prediction: {view.found.certainty.text}"


def _doubts(view: KindView) -> str:
    said = [
        *([view.found.certainty.why] if view.found.certainty.why else []),
        *view.found.assumptions,
    ]
    return "  \n".join(map(verbatim, said))


def _more(view: KindView, words: KindWords) -> None:
    """Let the visitor ask one question, as of a consumer group; show its answer."""
    shown: dict[str, Callable[[], None]] = {questions.WHY: partial(why.show, view)}
    if words.advice:
        shown[SETTINGS] = partial(_settings, words)
    questions.answer_asked(shown)


def _settings(words: KindWords) -> None:
    """Show what each setting would bring here."""
    st.dataframe(
        pd.DataFrame(
            [(each.setting, each.value, each.why) for each in words.advice],
            columns=["Setting", "Set to", "Brings"],
        ),
        hide_index=True,
    )
