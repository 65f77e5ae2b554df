"""The Fleet page below its header: the answer, then one view of the tables."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaluation.answering.actions import Action
from evaluation.answering.fleet_words import fleet_words
from evaluation.answering.of_fleet import FleetVerdict
from evaluation.wording import plural
from sources.errors import SourceError
from sources.fleet.tables import Fleet
from sources.fleet.totals import Totals
from sources.plans_of_groups import MOST_GROUPS
from ui import widgets
from ui.choices.option import OptionChoice
from ui.fleet import cache, filters, group, pictures, ranking, run, several, switch, times, urgency
from ui.fleet.words import judged_words, totals_words
from ui.picture import places, verdict
from ui.picture.model import BandButton, Tone, VerdictBand

_VIEW: Final = "fleet_view"
_CHECKED: Final = "fleet_checked"
"""The tables and the scope whose last snapshots have been looked at; no cache need hold them."""
_GROUP: Final = "One group"
_OPEN: Final = "open"
_PLAN: Final = "plan"
"""The keys of the band's buttons."""
_LONGEST_NAME: Final = 28
_REJECTED: Final = "Rejected rows"
_TIME: Final = "%d %b %Y, %H:%M"
_QUESTION: Final = (
    "Each strategy is replayed as if the group had switched to it before its first snapshot."
)
_EARLIER: Final = (
    "An earlier release made these tables, which started each strategy from the owners as recorded "
    "instead. Make them anew by today's rules: `python -m pipeline replay --output FOLDER`."
)
_ABOUT: Final = """\
Totals are as of each group's last snapshot. Idle consumers own no partition. A topic that several
groups read counts once for each of them. What is unknown is not in the sum. Gains compare each
group's busiest consumer as it was and under its best strategy, mean over the snapshots."""


def show(fleet: Fleet, above: DeltaGenerator, head: DeltaGenerator, area: DeltaGenerator) -> None:
    """Show totals, the answer and the filters in their areas, then a view.

    An unreadable table is reported in one sentence.
    """
    try:
        _show(fleet, above, head, area)
    except SourceError as error:
        places.await_nothing()
        widgets.refusal(error)


def _show(fleet: Fleet, above: DeltaGenerator, head: DeltaGenerator, area: DeltaGenerator) -> None:
    extent = cache.extent(fleet)
    if extent.first is None:
        places.await_nothing()
        _explain_empty(fleet)
        return
    scope = filters.ask(extent, area)
    rows, measure, asked = cache.as_it_was(fleet, scope), fleet.measure, (fleet.edition, scope)
    is_awaited = st.session_state.get(_CHECKED) == asked
    found = cache.standing_so_far(fleet, scope, is_awaited=is_awaited)
    ranked = found.ranked
    listed = cache.by_urgency(fleet, scope, is_checked=found.is_checked)
    _totals(above, cache.sums(fleet, scope), fleet)
    pressed = _answer(head, listed.verdict, fleet)
    views = {
        "By urgency": lambda: urgency.show(listed, measure, _see_group),
        "By gain": lambda: ranking.show(
            found, measure, _see_group, lambda chosen: several.offer(fleet, rows, chosen)
        ),
        "Time lag": lambda: times.show(fleet, scope, found),
        _GROUP: lambda: group.show(fleet, found, scope),
        "Switch": lambda: switch.show(fleet, scope),
        "Over time": lambda: pictures.show_heatmap(rows, measure),
    }
    folded = {
        "Distributions": lambda: pictures.show_distributions(ranked, measure),
        "Tested on the past": lambda: pictures.show_kept(ranked, measure),
        _REJECTED: lambda: run.show_rejected(fleet),
        "The run": lambda: run.show(fleet),
    }
    if pressed == _OPEN and listed.verdict.start is not None:
        several.open_alone(fleet, rows, listed.verdict.start.key)
    elif pressed == _PLAN:
        several.plan(fleet, rows, _short_of_consumers(listed.verdict))
    (views | folded)[_choose(list(views), list(folded))]()
    if not found.is_checked:
        cache.standing(fleet, scope)
        st.session_state[_CHECKED] = asked
        st.rerun()


def _choose(views: Sequence[str], folded: Sequence[str]) -> str:
    """Let the visitor choose a view; those under the menu join the others while they are shown."""
    asked = st.session_state.get(_VIEW) or st.query_params.get(_VIEW)
    with st.container(horizontal=True, vertical_alignment="center"):
        view = OptionChoice(_VIEW).switch(
            "View", [*views, *(each for each in folded if each == asked)]
        )
        with st.popover("More", type="tertiary"):
            for name in folded:
                st.button(name, key=f"see_{name}", type="tertiary", on_click=_see, args=(name,))
    return view


def _explain_empty(fleet: Fleet) -> None:
    """Explain the absence of groups, and show the rejected rows, which may be the cause."""
    if not cache.count(fleet, "rejected"):
        st.info(
            "These tables hold no group, because the telemetry had no rows. Run the pipeline on "
            "telemetry of at least one group.",
            icon=":material/inbox:",
        )
        return
    st.info(
        "These tables hold no group, because every row of telemetry was rejected. Fix what the "
        "reasons below name, then run the pipeline again.",
        icon=":material/inbox:",
    )
    run.show_rejected(fleet)


def _see(view: str) -> None:
    st.session_state[_VIEW] = view


def _see_group(cluster: str, name: str) -> None:
    st.session_state[group.GROUP] = (cluster, name)
    st.session_state[_VIEW] = _GROUP


def _buttons(found: FleetVerdict) -> tuple[BandButton, ...]:
    """Return buttons that open the group to start with, and plan those that lack consumers."""
    if not found.is_checked or found.start is None:
        return ()
    name = found.start.name
    shown = f"{name[: _LONGEST_NAME - 1]}…" if len(name) > _LONGEST_NAME else name
    buttons = [BandButton(key=_OPEN, label=f"Open {shown}", is_main=True)]
    if short := _short_of_consumers(found):
        buttons.append(BandButton(key=_PLAN, label=f"Plan consumers for {len(short)}"))
    return tuple(buttons)


def _short_of_consumers(found: FleetVerdict) -> list[tuple[str, str]]:
    """Return the groups that are to run more consumers, as many as are planned together."""
    short = [each.key for each in found.groups if each.advice.action is Action.ADD_CONSUMERS]
    return short[:MOST_GROUPS]


def _totals(area: DeltaGenerator, whole: Totals, fleet: Fleet) -> None:
    """Show in its area how large the fleet is, and of which time."""
    if whole.first is None or whole.last is None:
        return
    measure = fleet.measure
    span = f"{plural(whole.snapshots, 'group snapshot')} {_span(whole.first, whole.last)}"
    is_earlier = not fleet.run["judged_by"]
    about = _ABOUT if is_earlier else f"{_ABOUT} {_QUESTION} {judged_words(measure)}"
    area.markdown(f":small[{totals_words(whole, measure)} · {span} UTC]", help=about)


def _answer(area: DeltaGenerator, found: FleetVerdict, fleet: Fleet) -> str:
    """Show in its area the answer that the page opens with, and what its tables lack.

    Returns the key of the button that was pressed, "" if none was.
    """
    rejected, said = cache.count(fleet, "rejected"), fleet_words(found, fleet.measure)
    with area:
        pressed = verdict.show(
            VerdictBand(
                tone=Tone.of(found.severity),
                finding=said.headline,
                evidence=said.evidence,
                action=said.action,
                buttons=_buttons(found),
            )
        )
        if not fleet.run["judged_by"] and found.count:
            st.markdown(f":small[{_EARLIER}]")
        if rejected and found.count:
            st.button(
                f"{plural(rejected, 'row')} of telemetry rejected",
                icon=":material/rule:",
                on_click=_see,
                args=(_REJECTED,),
                type="tertiary",
                key="see_rejected",
            )
    return pressed


def _span(first: datetime, last: datetime) -> str:
    """Return the range of time, or the single moment, in words."""
    if first == last:
        return f"at {first:{_TIME}}"
    return f"from {first:{_TIME}} to {last:{_TIME}}"
