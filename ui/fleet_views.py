"""What the Fleet page shows of its tables: the answer, then one view of them."""

from typing import Final

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sources.errors import SourceError
from sources.fleet import Fleet
from sources.fleet_scope import Scope
from sources.fleet_totals import totals
from ui import (
    fleet_answer,
    fleet_cache,
    fleet_group,
    fleet_pictures,
    fleet_ranking,
    fleet_rejected,
    fleet_scope,
    linked,
)
from ui.fleet_folder import sentence

_VIEW: Final = "fleet_view"
_RANKING: Final = "Ranking"
_GROUP: Final = "One group"
_SPREADS: Final = "Distributions"
_MAP: Final = "Over time"
_REJECTED: Final = "Rows not used"
_REPORT: Final = "The run"
_VIEWS: Final = (_RANKING, _GROUP, _SPREADS, _MAP, _REJECTED, _REPORT)


def show(fleet: Fleet, filters: DeltaGenerator) -> None:
    """Show the filters at their place, the answer, and a view; say if a file is unreadable."""
    try:
        _show(fleet, filters)
    except SourceError as error:
        st.error(sentence(error), icon=":material/error:")


def _show(fleet: Fleet, filters: DeltaGenerator) -> None:
    extent = fleet_cache.extent(fleet)
    if extent.first is None:
        _say_that_it_is_empty(fleet)
        return
    scope = fleet_scope.ask(extent, filters)
    present = fleet_cache.present(fleet, scope)
    ranking = fleet_cache.ranking(fleet, scope)
    fleet_answer.headline(totals(present), ranking, fleet_cache.rejected(fleet), _see_rejected)
    _view(fleet, scope, present, ranking)


def _say_that_it_is_empty(fleet: Fleet) -> None:
    """Show why there is no group, and the rows that would have told of some."""
    is_any_row = fleet_cache.rejected(fleet).entries > 0
    st.info(
        "These tables hold no group: the telemetry had no row that could be used. The "
        "reasons are below; run the pipeline again on telemetry without these faults."
        if is_any_row
        else "These tables hold no group: the telemetry had no rows. Run the pipeline again on "
        "telemetry of some group.",
        icon=":material/inbox:",
    )
    if is_any_row:
        fleet_rejected.rejected_view(fleet)


def _view(fleet: Fleet, scope: Scope, present: pd.DataFrame, ranking: pd.DataFrame) -> None:
    view = linked.switch("View", _VIEWS, _VIEW, is_label_shown=False)
    if view == _RANKING:
        fleet_ranking.ranked_list(ranking, _see_group)
    elif view == _GROUP:
        fleet_group.group_view(fleet, ranking, scope)
    elif view == _SPREADS:
        fleet_pictures.spreads(ranking)
    elif view == _MAP:
        fleet_pictures.group_map(present)
    elif view == _REJECTED:
        fleet_rejected.rejected_view(fleet)
    else:
        fleet_rejected.report_view(fleet)


def _see_rejected() -> None:
    st.session_state[_VIEW] = _REJECTED


def _see_group(cluster: str, group: str) -> None:
    st.session_state[fleet_group.GROUP] = (cluster, group)
    st.session_state[_VIEW] = _GROUP
