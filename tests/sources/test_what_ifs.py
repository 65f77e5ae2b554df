"""What-ifs as they travel in a link."""

import pytest

from assignors.catalogue import strategy_called
from evaluation.what_if import Asked, Weather, WhatIf
from sources.errors import SourceError
from sources.what_ifs import decode, encode

KEPT = (
    WhatIf(),
    WhatIf("plan B", strategy_called("cooperative-sticky"), 10, "orders", 48),
    WhatIf(consumers=-2),
)


BUSY = Weather("Black Friday", arrivals=1.5, lost=2, speed=0.5)


@pytest.mark.parametrize("weathers", [(Weather(),), (BUSY,), (Weather(), BUSY, Weather(lost=1))])
def test_choices_and_cases_come_back_as_they_were(weathers: tuple[Weather, ...]) -> None:
    assert decode(encode(Asked(KEPT, weathers))) == Asked(KEPT, weathers)


def test_the_one_weather_of_an_earlier_link_is_its_only_case() -> None:
    found = decode('{"weather":{"arrivals":1.5},"choices":[{"consumers":10}]}')

    assert found == Asked((WhatIf(consumers=10),), (Weather(arrivals=1.5),))


def test_nothing_is_an_empty_text() -> None:
    assert encode(Asked()) == ""


def test_what_arrives_in_a_column_of_an_earlier_link_is_the_weather_of_all() -> None:
    found = decode('[{},{"name":"Black Friday","consumers":20,"arrivals":1.5},{"arrivals":1.2}]')

    assert found.weathers == (Weather(arrivals=1.5),)
    assert found.choices == (WhatIf(), WhatIf("Black Friday", consumers=20))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[{", "cut off"),
        ('[{"consumers":"many"}]', "cut off or changed"),
        ('[{"strategy":"stiky"}]', "did you mean 'sticky'"),
        (str([{}] * 9), "9 choices, where at most 8"),
        ('{"weathers":[{},{},{},{},{}],"choices":[]}', "5 cases, where at most 4"),
        ('[{"consumers":10000000}]', "must be 0 to 10,000"),
        ('[{"arrivals":1e400}]', "cut off|must be"),
        ('{"weather":{"lost":-1},"choices":[]}', "must be 0 to"),
        ("[" * 1_000, "cut off"),
        ("x" * 5_000, "5,000 characters"),
    ],
)
def test_a_link_that_was_changed_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        decode(text)
