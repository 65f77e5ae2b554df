"""Reports on a group, as the Compare page generates them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from assignors.model import Group
from assignors.registry import STRATEGIES
from charts.report import Section
from evaluation.clients import JAVA, Client
from evaluation.compare import as_it_is_now, compare
from tests.compared import compared
from tests.named import named
from ui.compare.report import Content, report_html


def report_on(  # noqa: PLR0913 -- one argument a part of the report
    group: Group,
    *names: str,
    title: str = "Orders",
    baseline: Group | None = None,
    others: Sequence[Section] = (),
    client: Client = JAVA,
    proposal: str = "",
    costs: Sequence[str] = (),
    incident: Sequence[str] = (),
    hindrance: str = "",
) -> str:
    """Return the report of 3 February 2026 on these strategies and the recommendation."""
    now, every = as_it_is_now(group), list(STRATEGIES.values())
    content = Content(
        title=title,
        comparison=replace(
            compared(group, compare(group, client.settable), compare(group, client.custom)),
            outcomes=[*([now] if now else []), *compare(group, named(*names))],
            before={} if baseline is None else {o.name: o for o in compare(baseline, every)},
        ),
        baseline=group if baseline is None else baseline,
        others=others,
        client=client,
        proposal=proposal,
        costs=costs,
        incident=incident,
        hindrance=hindrance,
    )
    return report_html(content, date(2026, 2, 3))
