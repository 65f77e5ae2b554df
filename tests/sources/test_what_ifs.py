"""What-ifs as they travel in a link."""

import pytest

from assignors.catalogue import strategy_called
from evaluation.what_if import WhatIf
from sources.errors import SourceError
from sources.what_ifs import decode, encode

KEPT = (
    WhatIf(),
    WhatIf("plan B", strategy_called("cooperative-sticky"), 10, "orders", 48, 1.5),
    WhatIf(consumers=-2),
)


def test_what_ifs_come_back_as_they_were() -> None:
    assert decode(encode(KEPT)) == KEPT


def test_none_are_an_empty_text() -> None:
    assert encode(()) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[{", "cut off"),
        ('[{"consumers":"many"}]', "cut off or changed"),
        ('[{"strategy":"stiky"}]', "did you mean 'sticky'"),
        ("[{},{},{},{},{}]", "at most 4"),
        ('[{"consumers":10000000}]', "must be 0 to 10,000"),
        ('[{"arrivals":1e400}]', "cut off|must be"),
        ("[" * 1_000, "cut off"),
        ("x" * 3_000, "3,000 characters"),
    ],
)
def test_a_link_that_was_changed_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        decode(text)
