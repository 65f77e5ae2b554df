"""What happened at the last rebalance, on the Rebalance page: from a log, and from watching."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evaluation.reading import Reading
from tests.evaluation.rebalance.test_member_log import FIRST, TIMED_OUT, log
from tests.pasted import the_group
from tests.patience import PATIENCE_S
from tests.said import lacks
from tests.ui.connect.test_watch import watched
from ui import scenario

PAGE = Path(__file__).resolve().parents[2] / "pages" / "rebalance.py"


def shown(reading: Reading) -> AppTest:
    page = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    page.session_state["entered"] = True
    page.session_state["scenario"] = scenario.opened("depot", reading)
    page.run()
    assert not page.exception
    return page


@pytest.mark.parametrize(
    ("reading", "names"),
    [
        pytest.param(
            the_group(log(*FIRST, *TIMED_OUT)), ("van-1", "max.poll.interval.ms"), id="a log"
        ),
        pytest.param(watched(), ("c", "4 of 6"), id="watched"),
    ],
)
def test_the_page_opens_with_who_caused_it(reading: Reading, names: tuple[str, ...]) -> None:
    page = shown(reading)

    assert any("What happened at the last rebalance" in e.label for e in page.expander)
    text = page.expander[0].markdown[0].value.replace("\\", "")
    assert lacks(text, *names) == []
