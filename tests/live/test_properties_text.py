import pytest

from live.properties_text import pairs

PEM = "-----BEGIN CERTIFICATE-----\nAAAA\nBBB=\n-----END CERTIFICATE-----"


@pytest.mark.parametrize("line", ["a.b=c d", "a.b = c d", "a.b: c d", "a.b c d", "  a.b=c d  \r"])
def test_every_way_to_write_a_property_is_read(line: str) -> None:
    assert pairs(line) == {"a.b": "c d"}


def test_comments_and_blank_lines_are_passed_over_and_the_last_of_two_counts() -> None:
    assert pairs("\ufeff# a=1\n! b=2\n\n  # c=3\nd=1\nd=2") == {"d": "2"}


def test_a_backslash_joins_the_next_line_and_escapes_as_java_does() -> None:
    assert pairs('jaas=x \\\n    user="u";\nk=a\\=b\\u0041\\\\') == {
        "jaas": 'x user="u";',
        "k": "a=bA\\",
    }


def test_a_value_may_hold_what_divides_names_from_values() -> None:
    assert pairs("sasl.password=a=b:c d#e!") == {"sasl.password": "a=b:c d#e!"}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\\n\\\n", "\\n\\\n   "])
def test_certificates_may_stand_in_lines_of_their_own_or_be_joined(end: str) -> None:
    chain = f"{PEM}\n{PEM}"

    found = pairs(f"ssl.ca.pem={chain.replace(chr(10), end)}\nclient.id=x")

    assert found["ssl.ca.pem"].replace("\r\n", "\n") == chain
    assert found["client.id"] == "x"
