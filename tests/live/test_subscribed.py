"""What members of the ``consumer`` protocol subscribe to, asked of the coordinator alone."""

import ssl
import time

import pytest

from live.access import access_to
from live.cluster import connect
from live.properties import Properties
from live.subscribed import Subscribed, _config
from tests.live.fake_broker import GROUP, broker, stranger

SASL = {"security.protocol": "sasl_ssl", "sasl.mechanism": "plain", "sasl.username": "a"}


def test_a_pattern_stands_for_whole_names_of_topics_that_exist() -> None:
    member = Subscribed(("pay",), "orders.*", None)

    assert member.topics(["orders", "orders-eu", "old-orders"]) == ("orders", "orders-eu", "pay")


def test_without_a_pattern_topics_are_those_it_names() -> None:
    assert Subscribed(("pay", "a"), "", None).topics(["orders"]) == ("a", "pay")


@pytest.mark.parametrize(
    "properties",
    [
        {"security.protocol": "SASL_SSL", "sasl.mechanism": "GSSAPI"},
        {"security.protocol": "SASL_SSL", "sasl.mechanism": "OAUTHBEARER"},
        {"security.protocol": "SSL", "ssl.key.pem": "-----BEGIN"},
        {"security.protocol": "SSL", "ssl.engine.location": "engine"},
    ],
)
def test_properties_that_the_other_client_does_not_take_leave_it_unasked(
    properties: dict[str, str],
) -> None:
    assert _config(properties) is None


def test_a_login_is_passed_on_with_verified_certificates() -> None:
    secret = "canary-9f3a"  # noqa: S105 -- to find it again
    config = _config({**SASL, "sasl.password": secret})

    assert config is not None
    assert config["sasl_plain_password"] == secret
    assert (config["security_protocol"], config["sasl_mechanism"]) == ("SASL_SSL", "PLAIN")
    assert config["ssl_context"].verify_mode == ssl.CERT_REQUIRED
    assert config["ssl_check_hostname"]


def test_certificates_go_unverified_only_where_the_properties_say_so() -> None:
    config = _config({**SASL, "enable.ssl.certificate.verification": "false"})

    assert config is not None
    assert config["ssl_context"].verify_mode == ssl.CERT_NONE


def test_a_coordinator_that_is_not_listed_gets_no_connection() -> None:
    with (
        stranger() as other,
        broker([]) as listed,
        connect(
            Properties({"bootstrap.servers": f"{listed[0]}:{listed[1]}"}),
            access=access_to([f"{listed[0]}:{listed[1]}"]),
        ) as cluster,
    ):
        assert cluster.subscribed(GROUP, other.address) == {}
    time.sleep(0.5)

    assert other.connections == []
