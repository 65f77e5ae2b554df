"""The Glossary page shows the document, whose links lead nowhere from a page."""

from tests.pages.compare_page import ROOT, opened


def test_every_word_of_the_document_is_on_the_page() -> None:
    lines = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    words = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]

    page = opened().switch_page("pages/glossary.py").run()

    assert page.title[0].value == "Glossary"
    shown = page.markdown[0].value
    assert len(words) > 40
    assert [word for word in words if f"| {word} |" not in shown] == []
    assert "](" not in shown
