import traceback

import pytest

from live.client_config import read_config
from live.errors import PropertyError

CANARY = "canary-9f3a"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
OAUTH = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"


def test_a_java_clients_login_becomes_user_and_password() -> None:
    text = f"""security.protocol=SASL_SSL
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config={SCRAM} required \\
  username="alice" \\
  password="p\\\\"q;=";
"""

    found = read_config(text, "b:9092")

    assert dict(found.properties) == {
        "bootstrap.servers": "b:9092",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "alice",
        "sasl.password": 'p"q;=',
    }
    assert found.notes == ()


def test_a_token_endpoint_selects_librdkafkas_oidc_method() -> None:
    text = f"""sasl.mechanism=OAUTHBEARER
sasl.oauthbearer.token.endpoint.url=https://login/token
sasl.login.callback.handler.class=a.b.OAuthBearerLoginCallbackHandler
sasl.jaas.config={OAUTH} required clientId='id' clientSecret="s" scope=all;
"""

    found = read_config(text).properties

    assert found["sasl.oauthbearer.method"] == "oidc"
    assert found["sasl.oauthbearer.client.id"] == "id"
    assert found["sasl.oauthbearer.client.secret"] == "s"
    assert found["sasl.oauthbearer.scope"] == "all"
    assert "sasl.login.callback.handler.class" not in found


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("ssl.truststore.type=PEM\nssl.truststore.location=/ca", {"ssl.ca.location": "/ca"}),
        ("ssl.truststore.location=/ca.pem", {"ssl.ca.location": "/ca.pem"}),
        ("ssl.truststore.certificates=X", {"ssl.ca.pem": "X"}),
        (
            "ssl.keystore.location=/k.p12\nssl.keystore.password=w",
            {"ssl.keystore.location": "/k.p12", "ssl.keystore.password": "w"},
        ),
        (
            "ssl.keystore.type=PEM\nssl.keystore.location=/k",
            {"ssl.certificate.location": "/k", "ssl.key.location": "/k"},
        ),
        (
            "ssl.keystore.key=K\nssl.keystore.certificate.chain=C",
            {"ssl.key.pem": "K", "ssl.certificate.pem": "C"},
        ),
        (
            "ssl.endpoint.identification.algorithm=",
            {"ssl.endpoint.identification.algorithm": "none"},
        ),
        ("sasl.mechanisms=PLAIN", {"sasl.mechanism": "PLAIN"}),
    ],
)
def test_what_java_calls_otherwise_is_translated(given: str, expected: dict[str, str]) -> None:
    assert dict(read_config(given).properties) == expected


@pytest.mark.parametrize(
    ("given", "way_out"),
    [
        (f"sasl.jaas.config=my.Login required password={CANARY};", "sasl.password"),
        (f'sasl.jaas.config={PLAIN} required password="{CANARY}";', 'username="..."'),
        ("ssl.truststore.location=/x.jks\nssl.truststore.password=" + CANARY, "ssl.ca.location"),
        ("ssl.keystore.location=/x.jks\nssl.keystore.password=" + CANARY, "PKCS12"),
        ("sasl.mechanism=AWS_MSK_IAM", "SCRAM-SHA-512"),
        ("sasl.client.callback.handler.class=a.B", "leave it out"),
        (f"sasl.pasword={CANARY}", "did you mean 'sasl.password'"),
        ("auto.offset.reset=first", "earliest"),
        (f"sasl.password={CANARY}\0b", "sasl.password holds a NUL"),
        (f"{CANARY}\ud800=b", "a property holds a NUL or half a character"),
    ],
)
def test_what_cannot_be_translated_is_refused_with_the_way_out(given: str, way_out: str) -> None:
    with pytest.raises(PropertyError) as refused:
        read_config(given)

    said = "".join(traceback.format_exception(refused.value))
    assert way_out in str(refused.value)
    assert CANARY not in said


def test_what_reading_needs_not_is_left_out_and_named_unless_it_may_be_a_stray_value() -> None:
    found = read_config(f"group.id=g\nkey.deserializer=a.B\n{CANARY}")

    assert dict(found.properties) == {}
    (note,) = found.notes
    assert note.endswith("does not use: group.id, key.deserializer, 1 more.")


@pytest.mark.parametrize(
    ("given", "meant"), [("smallest", "earliest"), ("Latest", "latest"), ("none", "none")]
)
def test_auto_offset_reset_is_kept_for_the_lag(given: str, meant: str) -> None:
    found = read_config(f"auto.offset.reset={given}")

    assert found.auto_offset_reset == meant
    assert "auto.offset.reset" not in found.properties


def test_servers_given_apart_go_before_those_of_the_file() -> None:
    assert read_config("bootstrap.servers=a:1", "b:2").properties.servers == "b:2"
    assert read_config("metadata.broker.list=a:1").properties.servers == "a:1"
