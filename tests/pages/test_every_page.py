import pytest

from tests.pages.compare_page import ROOT, opened

PAGES = sorted(path.name for path in (ROOT / "pages").glob("*.py"))


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_without_an_error(name: str) -> None:
    page = opened(hours="2.0")  # of the Autoscaler page, which otherwise replays a day

    page.switch_page(f"pages/{name}").run()

    assert not page.exception
    assert not page.error
    assert page.title or page.header or page.get("bidi_component")
