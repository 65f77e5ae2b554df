"""What a new visitor sees: an example that has a story on every page."""

import pytest
from streamlit.testing.v1 import AppTest

from sources import samples
from tests.pages.compare_page import ROOT, seen
from tests.patience import PATIENCE_S


@pytest.mark.parametrize(
    "page", ["compare", pytest.param("capacity", marks=pytest.mark.proof), "scenarios"]
)
def test_the_first_example_has_rates_on_every_page(page: str) -> None:
    shown = AppTest.from_file(str(ROOT / "pages" / f"{page}.py"), default_timeout=PATIENCE_S)
    shown.session_state["entered"] = True

    shown.run()

    assert not shown.exception
    said = seen(" ".join(each.value for each in [*shown.title, *shown.markdown, *shown.info]))
    assert "that is not known" not in said
    assert "guess" not in said
    assert shown.session_state["scenario"].origin == samples.SAMPLES[0].id
