import re

import pytest

from sources.errors import SourceError
from sources.patterns import whole_name


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("orders", "orders", "orders-eu"),
        ("orders-.*", "orders-eu", "my-orders-eu"),
        ("a|ab", "ab", "abc"),
        (r"(?i)ORDERS\.\d+", "orders.12", "orders.x"),
        (r"\Qa.b\E", "a.b", "axb"),
        ("é+", "éé", "e"),
    ],
)
def test_a_pattern_matches_whole_names_as_kafka_does(
    pattern: str, matching: str, other: str
) -> None:
    matches = whole_name(pattern)

    assert matches(matching)
    assert not matches(other)


@pytest.mark.parametrize(
    "pattern",
    ["[", "(" * 400, "a**+", "(?=a)", "(?<!a)b", r"(a)\1", "a{5000}", "\\", "x" * 501],
)
def test_what_is_not_a_pattern_is_refused_in_a_sentence(pattern: str) -> None:
    with pytest.raises(SourceError) as refused:
        whole_name(pattern)

    assert str(refused.value).endswith(".")
    assert len(str(refused.value)) < 400


def test_the_sentence_names_what_java_has_and_re2_does_not() -> None:
    with pytest.raises(SourceError, match=r"invalid perl operator.*no look-around, no back ref"):
        whole_name("orders(?!-eu)")


@pytest.mark.parametrize("pattern", ["((.{30}){30}){1}", r"(\p{L}[a-z]){5}", "(.?){300}"])
def test_a_short_pattern_that_repeats_too_much_is_refused(pattern: str) -> None:
    with pytest.raises(SourceError, match="repeats too much"):
        whole_name(pattern)


@pytest.mark.parametrize("pattern", ["((a+)+)$", "(a|a)*b", "(x+x+)+y", "(.*a){20}c"])
def test_a_pattern_that_backtracks_elsewhere_ends_here(pattern: str) -> None:
    hostile = "a" * 200_000 + "!"

    assert not whole_name(pattern)(hostile)
    assert re.compile(pattern)  # Python's engine accepts it, but would not terminate


@pytest.mark.parametrize("text", ["\ud800", "a\x00b", "\U0001f600"])
def test_strange_characters_in_a_name_do_no_harm(text: str) -> None:
    assert whole_name(".*")(text)


def test_half_a_surrogate_pair_in_a_pattern_is_refused_in_a_sentence() -> None:
    with pytest.raises(SourceError, match="is not a valid pattern"):
        whole_name("\ud800")
