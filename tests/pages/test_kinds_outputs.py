"""Every real output of the tools on the Group page: right kind, no false exact, a way on."""

from pathlib import Path
from typing import Final

import pytest

from sources.errors import SourceError
from sources.text import read_text
from tests.pages.compare_page import button, choose_way, opened, texts, verdict

_OUTPUTS: Final = sorted((Path(__file__).parents[1] / "cases" / "outputs").glob("*.txt"))
_CANNOT_BE_SET: Final = ("partition.assignment.strategy=", "group.remote.assignor", "jar")


@pytest.mark.parametrize("path", _OUTPUTS, ids=lambda path: path.stem)
def test_a_real_output_opens_as_what_it_is_with_advice_that_can_be_followed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    try:
        kinds = {each.kind for each in read_text(text)}
    except SourceError:
        kinds = set()
    page = opened()
    choose_way(page, "Paste")
    page.text_area(key="pasted").set_value(text)
    button(page, "Read it").click().run()

    assert not page.exception
    if not kinds:
        assert page.error
        return
    said = f"{verdict(page)} {texts(page)}"
    if not any(kind.runs_consumer_strategies for kind in kinds):
        assert not any(word in said for word in _CANNOT_BE_SET)
        assert "prediction: exact" not in said
        assert not [each for each in page.button if each.label == "How to switch"]
