"""Trying numbers of consumers on the page: with progress, a way to stop, and a memory."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.model import UNOWNED, Group
from evaluation.capacity.draining import Capacity, Drained, demand_of, drained, speeds
from evaluation.capacity.limits import limits
from evaluation.capacity.search import Scope, coarse, fill, minimum, search
from evaluation.capacity.trials import Trials, settled
from ui import cache
from ui.capacity.findings import Findings
from ui.capacity.inputs import Question
from ui.workers import computed

_STOPPED: Final = "capacity_stopped"
_WORK: Final = 1_000_000
"""Numbers of consumers times partitions that are tried one by one."""
_MOST_IN_A_ROW: Final = 200
_ROUNDS: Final = 3


@cache.cached(16)
def _trials(group: Group, capacity: Capacity, most: int) -> Trials:
    return Trials(group, capacity, most, lambda group, name: computed(group, settled, name))


_limits = cache.cached(128)(limits)


class Work:
    """The trials of one question under the strategies chosen.

    What was tried stays for all viewers: whoever leaves half way, comes back or adds a
    strategy pays only for what is new.
    """

    def __init__(self, question: Question, names: tuple[str, ...]) -> None:
        """Take up the question where it was left, if anybody asked it before."""
        self._names = names
        self._bars = 0
        self._group, self._capacity = question.group, question.capacity
        self._key = f"{cache.digest(question.group)} {question.capacity} {question.most}"
        self._limits = _limits(self._group, self._capacity)
        fewest = self._limits.fewest or 1
        self._scope = Scope(
            fewest=fewest,
            most=max(question.most, fewest),
            exhaustive=min(_WORK // max(self._group.partition_count, 1), _MOST_IN_A_ROW),
        )
        self._trials = _trials(self._group, self._capacity, self._scope.most)

    @property
    def is_stopped(self) -> bool:
        """Whether the viewer stopped this very question."""
        return bool(st.session_state.get(_STOPPED) == self._key)

    def search(self, place: DeltaGenerator) -> None:
        """Try what the recommendation takes; show in the place how far it is."""
        if self._limits.fewest is not None:
            numbers = search(self._trials, self._names, self._scope)
            self._run(numbers, place, len(coarse(self._scope)) * len(self._names))
        if self._group.member_count:
            self.fill([self._group.member_count], place)

    def settle(self, place: DeltaGenerator) -> None:
        """Try the numbers of the pictures; where one beats the recommendation, search on."""
        self.fill(self.findings().wanted, place)
        for _ in range(_ROUNDS):
            self.search(place)
            deciding = self.findings().deciding
            self.fill(deciding, place)
            if self.findings().deciding == deciding:
                return

    def fill(self, numbers: Sequence[int], place: DeltaGenerator) -> None:
        """Try these numbers under every strategy chosen, except beyond those considered."""
        inside = [number for number in numbers if number <= self._scope.most]
        tries = fill(self._trials, self._names, inside)
        self._run(tries, place, len(inside) * len(self._names))

    def findings(self) -> Findings:
        """Return what is known so far."""
        curves = tuple(self._trials.curve(name) for name in self._names)
        return Findings(
            group=self._group,
            capacity=self._capacity,
            limits=self._limits,
            scope=self._scope,
            curves=curves,
            minima=tuple(minimum(curve, self._scope) for curve in curves),
            now=present(self._group, self._capacity),
        )

    def stopped_notice(self) -> None:
        """Say that the viewer stopped the search, and offer to go on."""
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Stopped: the answer rests on the numbers tried so far.")
            st.button("Continue", on_click=self.resume, icon=":material/play_arrow:")

    def stop(self) -> None:
        """Stop trying; the answer rests on what was tried."""
        st.session_state[_STOPPED] = self._key

    def resume(self) -> None:
        """Go on where the search was stopped."""
        st.session_state[_STOPPED] = None

    def _run(self, numbers: Iterable[int], place: DeltaGenerator, expected: int) -> None:
        """Work through the numbers, with a bar and a button to stop once there is work."""
        if self.is_stopped:
            return
        bar = None
        for done, consumers in enumerate(numbers):
            bar = bar or self._progress(place)
            # The bar is also where Streamlit interrupts a run whose viewer stops or leaves.
            bar.progress(done / (done + expected / 3), f"Trying {consumers:,} consumers…")
        place.empty()

    def _progress(self, place: DeltaGenerator) -> DeltaGenerator:
        self._bars += 1
        with place.container(horizontal=True, vertical_alignment="center"):
            bar = st.empty()
            st.button(
                "Stop",
                key=f"stop_{self._bars}",
                on_click=self.stop,
                icon=":material/stop:",
            )
        return bar


def present(group: Group, capacity: Capacity) -> Drained | None:
    """Return how long the present owners take; None if something to read has no owner."""
    unpaused = replace(capacity, pause_s=0.0)
    demand, owners = demand_of(group, unpaused), group.present_owners
    has_needs = demand.needs > 0
    if not has_needs.any() or (has_needs & (owners == UNOWNED)).any():
        return None
    return drained(demand, owners, speeds(group, capacity), unpaused)


def say_why_empty(group: Group) -> bool:
    """Say what to do about a group in which there is nothing to read; return whether it is one."""
    if not group.partition_count:
        why = "This group has no partitions"
    elif group.member_count and not group.is_wanted.any():
        why = "No consumer of this group subscribes to a topic with partitions"
    else:
        return False
    st.title("How many consumers does this group need?", anchor=False)
    st.info(f"{why}. Open or edit a group on the Compare page.")
    return True
