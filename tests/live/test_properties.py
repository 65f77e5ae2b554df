import pickle
import traceback

import pytest

from live.properties import Properties, is_secret, parse_properties

CANARY = "canary-9f3a"
SECRETS = (
    "sasl.password",
    "ssl.key.password",
    "ssl.keystore.password",
    "ssl.key.pem",
    "ssl.certificate.pem",  # bundles contain the key as well
    "sasl.oauthbearer.client.secret",
    "sasl.oauthbearer.config",
    "sasl.jaas.config",
)


@pytest.mark.parametrize("name", SECRETS)
def test_no_secret_is_printed(name: str) -> None:
    properties = Properties({"bootstrap.servers": "b:9092", name: CANARY})

    printed = f"{properties} {properties!r} {[properties]}"

    assert is_secret(name)
    assert CANARY not in printed
    assert "b:9092" in printed


@pytest.mark.parametrize("name", SECRETS)
def test_no_secret_stays_in_a_sentence_that_quotes_it(name: str) -> None:
    properties = Properties({name: CANARY})

    assert CANARY not in properties.scrub(f'Invalid value "{CANARY}" for {name}')


def test_names_of_users_and_servers_are_no_secrets() -> None:
    properties = Properties({"sasl.username": "alice", "bootstrap.servers": "b:9092"})

    assert "alice" in repr(properties)
    assert properties.scrub("the group 'alice-eu'") == "the group 'alice-eu'"


def test_properties_cannot_be_written_to_a_file() -> None:
    properties = Properties({"sasl.password": CANARY})

    with pytest.raises(TypeError) as refused:
        pickle.dumps(properties)

    assert CANARY not in "".join(traceback.format_exception(refused.value))


PEM = "-----BEGIN CERTIFICATE-----\nAAAA\nBBB=\n-----END CERTIFICATE-----"


@pytest.mark.parametrize("line", ["a.b=c d", "a.b = c d", "a.b: c d", "a.b c d", "  a.b=c d  \r"])
def test_every_way_to_write_a_property_is_read(line: str) -> None:
    assert parse_properties(line) == {"a.b": "c d"}


def test_comments_and_blank_lines_are_passed_over_and_the_last_of_two_counts() -> None:
    assert parse_properties("\ufeff# a=1\n! b=2\n\n  # c=3\nd=1\nd=2") == {"d": "2"}


def test_a_backslash_joins_the_next_line_and_escapes_as_java_does() -> None:
    assert parse_properties('jaas=x \\\n    user="u";\nk=a\\=b\\u0041\\\\') == {
        "jaas": 'x user="u";',
        "k": "a=bA\\",
    }


def test_a_value_may_hold_what_divides_names_from_values() -> None:
    assert parse_properties("sasl.password=a=b:c d#e!") == {"sasl.password": "a=b:c d#e!"}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\\n\\\n", "\\n\\\n   "])
def test_certificates_may_be_on_separate_lines_or_joined(end: str) -> None:
    chain = f"{PEM}\n{PEM}"

    found = parse_properties(f"ssl.ca.pem={chain.replace(chr(10), end)}\nclient.id=x")

    assert found["ssl.ca.pem"].replace("\r\n", "\n") == chain
    assert found["client.id"] == "x"
