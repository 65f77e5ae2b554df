from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path.name for path in (ROOT / "pages").glob("*.py"))


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_without_an_error(name: str) -> None:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE_S)
    page.query_params["hours"] = "2.0"  # of the Autoscaler page, which otherwise replays a day

    page.run().switch_page(f"pages/{name}").run()

    assert not page.exception
    assert not page.error
    assert page.title
