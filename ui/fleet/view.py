"""The Fleet page below its header: the answer, then one view of the tables."""

from datetime import datetime
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaluation.wording import plural
from sources.errors import SourceError
from sources.fleet.tables import Fleet
from sources.fleet.totals import Totals, totals
from ui import url_state, widgets
from ui.fleet import cache, filters, group, pictures, ranking, run, switch, times
from ui.fleet.words import (
    conclusion,
    drawn_words,
    judged_words,
    kept_words,
    ranking_age,
    settable_among,
    totals_words,
)

_VIEW: Final = "fleet_view"
_GROUP: Final = "One group"
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


def show(fleet: Fleet, head: DeltaGenerator, area: DeltaGenerator) -> None:
    """Show the answer and the filters in their areas, then a view.

    An unreadable table is reported in one sentence.
    """
    try:
        _show(fleet, head, area)
    except SourceError as error:
        widgets.refusal(error)


def _show(fleet: Fleet, head: DeltaGenerator, area: DeltaGenerator) -> None:
    extent = cache.extent(fleet)
    if extent.first is None:
        _explain_empty(fleet)
        return
    scope = filters.ask(extent, area)
    rows, ranked = cache.as_it_was(fleet, scope), cache.ranking(fleet, scope)
    of_settings = scope.among(settable_among(extent.strategies))
    by_setting = cache.ranking(fleet, of_settings) if of_settings.strategies else None
    measure, whole = fleet.measure, totals(rows)
    said = [conclusion(ranked, by_setting, measure), kept_words(ranked, measure)]
    if fleet.run["kind"] == "stream" and scope.is_whole_window:
        said.append(ranking_age(ranked, whole.last))
    how = f"{_QUESTION} {judged_words(measure)}" if fleet.run["judged_by"] else _EARLIER
    _answer(head, whole, " ".join(filter(None, said)), f"{how} {drawn_words(by_setting)}", fleet)
    shown = {
        "Ranking": lambda: ranking.show(ranked, by_setting, measure, _see_group),
        "Time lag": lambda: times.show(fleet, scope, ranked),
        _GROUP: lambda: group.show(fleet, ranked, by_setting, scope),
        "Switch": lambda: switch.show(fleet, scope),
        "Distributions": lambda: pictures.show_distributions(ranked, measure),
        "Tested on the past": lambda: pictures.show_kept(ranked),
        "Over time": lambda: pictures.show_heatmap(rows, measure),
        _REJECTED: lambda: run.show_rejected(fleet),
        "The run": lambda: run.show(fleet),
    }
    shown[url_state.switch("View", list(shown), _VIEW)]()


def _explain_empty(fleet: Fleet) -> None:
    """Explain the absence of groups, and show the rejected rows, which may be the cause."""
    if not fleet.count("rejected"):
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


def _see_rejected() -> None:
    st.session_state[_VIEW] = _REJECTED


def _see_group(cluster: str, name: str) -> None:
    st.session_state[group.GROUP] = (cluster, name)
    st.session_state[_VIEW] = _GROUP


def _answer(area: DeltaGenerator, whole: Totals, said: str, how: str, fleet: Fleet) -> None:
    """Show in its area the gain of switching, and the totals."""
    rejected, measure = fleet.count("rejected"), fleet.measure
    with area:
        st.markdown(said)
        if whole.first is None or whole.last is None:
            return
        span = f"{plural(whole.snapshots, 'group snapshot')} {_span(whole.first, whole.last)}"
        st.markdown(f":small[{totals_words(whole, measure)} · {span} UTC]", help=_ABOUT)
        st.markdown(f":small[{how.rstrip()}]")
        if rejected:
            st.button(
                f"{plural(rejected, 'row')} of telemetry rejected",
                icon=":material/rule:",
                on_click=_see_rejected,
                type="tertiary",
                key="see_rejected",
            )


def _span(first: datetime, last: datetime) -> str:
    """Return the range of time, or the single moment, in words."""
    if first == last:
        return f"at {first:{_TIME}}"
    return f"from {first:{_TIME}} to {last:{_TIME}}"
