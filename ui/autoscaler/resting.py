"""Where the visitor's own ScaledObject comes to rest: one sentence, then the steps."""

import math
from collections.abc import Iterator

import streamlit as st

from evaluation.autoscaling.comparison import Candidate
from evaluation.autoscaling.resting import committed_before, resting_point
from evaluation.autoscaling.resting_words import (
    rejected_sentence,
    resting_sentence,
    resting_steps,
)
from ui.scenario import Scenario
from ui.untrusted import verbatim


def said_of(current: Scenario, own: Candidate | None, threads: int) -> tuple[str, ...]:
    """Return the sentence, why KEDA 2 rejects the object, and the steps; empty without one."""
    if own is None or own.scaled is None:
        return ()
    group = current.group
    pods = math.ceil(group.member_count / threads)
    before = committed_before(group, current.reading.history)
    resting = resting_point(own.scaled, group, pods, before)

    def said() -> Iterator[str]:
        yield resting_sentence(resting)
        yield rejected_sentence(own.rejected)
        yield from resting_steps(resting)

    return tuple(filter(None, said()))


def show(said: tuple[str, ...]) -> None:
    """Show the sentence, then the steps; nothing without a ScaledObject."""
    if not said:
        return
    sentence, *steps = said
    with st.container(border=True):
        st.markdown(f"**{verbatim(sentence)}**")
        st.markdown("\n".join(f"- {verbatim(step)}" for step in steps))
