"""What the Fleet page shows of its tables: the answer, then one view of them."""

from typing import Final

import streamlit as st

from sources.fleet import Fleet
from sources.fleet_totals import totals
from ui import fleet_answer, fleet_cache, fleet_ranking, fleet_scope, linked

_VIEW: Final = "view"
_RANKING: Final = "Ranking"
_REJECTED: Final = "Rows not used"
_VIEWS: Final = (_RANKING, _REJECTED)


def show(fleet: Fleet) -> None:
    """Show the filters, the answer, and the chosen view."""
    extent = fleet_cache.extent(fleet)
    if extent.first is None:
        st.info(
            "These tables hold no group at any time: the telemetry held no usable row. See the "
            "rows not used, and run the pipeline on more."
        )
        return
    scope = fleet_scope.ask(extent)
    present = fleet_cache.present(fleet, scope)
    ranking = fleet_cache.ranking(fleet, scope)
    fleet_answer.headline(totals(present), ranking, fleet_cache.rejected(fleet), _see_rejected)
    view = linked.switch("View", _VIEWS, _VIEW, is_label_shown=False)
    if view == _RANKING:
        fleet_ranking.ranked_list(ranking)


def _see_rejected() -> None:
    st.session_state[_VIEW] = _REJECTED
