"""The questions below the picture; none is open, and none computed, until it is asked."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st

from assignors.model import Group
from charts.heatmaps import consumer_by_topic
from evaluation.answering.answer import Answer
from evaluation.answering.why_not_words import why_not_words
from evaluation.comparing.load import Load
from evaluation.comparing.other_answers import other_answers
from evaluation.comparing.outcomes import Outcome
from evaluation.judging import PARTITIONS as COUNTS
from evaluation.kinds.as_queue import as_share_group, idle_in, is_asked_as_queue, queue_said
from ui import questions, widgets
from ui.answers import known_in
from ui.choices.option import OptionChoice
from ui.compare.explain import explain_view
from ui.compare.figures import consumers_table, figures_table, why
from ui.compare.optimum import optimum_view
from ui.compare.partitions import partitions_view
from ui.compare.past import tested
from ui.compare.switch import switch_view
from ui.compare.worst import Causes
from ui.kinds.drawn import picture_of
from ui.lag_in_time.view import time_view
from ui.picture import incident
from ui.refining import Refining
from ui.scenario import Scenario
from ui.untrusted import verbatim

PARTITIONS: Final = "Partitions"
CONSUMERS: Final = "Consumers"
TOPICS: Final = "Topics"
SWITCH: Final = "How to switch"
MOVES: Final = "Fewest moves"
TIME: Final = "Over time"
QUEUE: Final = "As a share group"
_EARLIER: Final[Mapping[str, str]] = {
    "Figures": CONSUMERS,
    "Assignment": PARTITIONS,
    "Optimum": MOVES,
    "Switch": SWITCH,
    "Explain": questions.WHY,
    "Time": TIME,
}
"""What links of earlier releases call the views."""


def follow_earlier_links() -> None:
    """Bring a link's view up to date; controls take from a link what it says as a run begins."""
    named = st.query_params.get(questions.ASKED.name, "")
    if named in _EARLIER:
        st.query_params[questions.ASKED.name] = _EARLIER[named]
        st.rerun()


def views(current: Scenario, answer: Answer, outcomes: Sequence[Outcome]) -> Refining | None:
    """Let the visitor ask one question; show its answer, and return what that waits for."""
    shown: dict[str, Callable[[], Refining | None]] = {
        PARTITIONS: partial(_partitions, current, answer, outcomes),
        CONSUMERS: partial(_consumers, current, answer, outcomes),
        TOPICS: partial(_topics, answer, outcomes),
        questions.WHY: partial(_why, current, answer, outcomes),
        SWITCH: partial(switch_view, current, answer),
        MOVES: partial(optimum_view, answer, outcomes),
        TIME: partial(time_view, current, outcomes),
    }
    if is_asked_as_queue(current.group):
        shown[QUEUE] = partial(_queue, current.group)
    return questions.answer_asked(shown)


def _partitions(current: Scenario, answer: Answer, outcomes: Sequence[Outcome]) -> None:
    times, verdict = known_in(current).times, answer.verdict
    causes = Causes(verdict.members, verdict.partitions) if verdict.is_alarm else Causes()
    partitions_view(current.group, outcomes, times, current.reading.hosts, causes)


def _consumers(current: Scenario, answer: Answer, outcomes: Sequence[Outcome]) -> None:
    consumers_table(answer.group, outcomes, answer.load, current.reading.hosts)
    st.markdown("**All figures**")
    figures_table(answer, outcomes)


def _queue(group: Group) -> None:
    view = as_share_group(group)
    st.markdown(verbatim(queue_said(view, idle_in(group))))
    incident.show(picture_of(view, view.then), group.id, "as_share_group")


def _why(current: Scenario, answer: Answer, outcomes: Sequence[Outcome]) -> Refining | None:
    group, runs, measure = answer.group, answer.running.strategy, answer.load.measure
    said, refining = tested(current, answer)
    if said:
        st.markdown(said)
    explain_view(group, runs)
    with st.expander("Why each comes out so", icon=":material/help:"):
        reasons = (
            (o.label, f"{why(group, runs, o, measure)}{_why_not(answer, o)}") for o in outcomes
        )
        st.markdown("\n".join(f"- **{label}**: {verbatim(reason)}" for label, reason in reasons))
        for outcome in outcomes:
            _doubts(group, outcome)
        if any(o.outlook is not None and o.outlook.draws > 1 for o in outcomes):
            st.caption("After a switch: of the median of simulated restarts; others name others.")
    return refining


def _why_not(answer: Answer, outcome: Outcome) -> str:
    """Return why a switch to an outcome's strategy is not proposed, as one more sentence."""
    option = None if outcome.strategy is None else answer.option_for(outcome.strategy)
    why_not = "" if option is None else why_not_words(option, answer)
    return f" Not proposed: {why_not}." if why_not else ""


def _doubts(group: Group, outcome: Outcome) -> None:
    """Show what the client does instead of the answer, and the other possible answers."""
    if outcome.certainty.is_fault:
        st.error(verbatim(outcome.certainty.why), icon=":material/error:")
    if outcome.strategy is not None and outcome.outlook is None:
        for other in other_answers(group, outcome.strategy, outcome.owners):
            st.caption(f"{outcome.label}, or: {verbatim(other)}")


def _topics(answer: Answer, outcomes: Sequence[Outcome]) -> None:
    loads = {each.noun.capitalize(): each for each in (answer.load, Load(measure=COUNTS))}
    quantity = next(iter(loads))
    if len(loads) > 1:
        quantity = OptionChoice("colour").switch("Colour shows", tuple(loads), is_label_shown=True)
    st.plotly_chart(
        consumer_by_topic(answer.group, outcomes, loads[quantity], is_dark=widgets.is_dark()),
        key="by_topic",
        alt=f"{quantity} of every consumer in every topic, one panel for each strategy",
    )
    st.caption(f"Consumer by topic. Empty cells: no {quantity.lower()} of the topic.")
