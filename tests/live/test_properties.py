import pickle
import traceback

import pytest

from live.properties import Properties, is_secret

CANARY = "canary-9f3a"
SECRETS = (
    "sasl.password",
    "ssl.key.password",
    "ssl.keystore.password",
    "ssl.key.pem",
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
