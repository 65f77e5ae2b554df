"""Members' subscriptions: decoded in classic groups, else requested from the coordinator."""

import ssl
import struct
import time
from collections.abc import Sequence

import pytest

from live.access import access_to
from live.cluster import connect
from live.properties import Properties
from live.subscriptions import Subscription, _config, _is_pattern, decoded
from tests.live.fake_broker import GROUP, broker, stranger

SASL = {"security.protocol": "sasl_ssl", "sasl.mechanism": "plain", "sasl.username": "a"}


def test_a_pattern_matches_whole_names_of_existing_topics() -> None:
    member = Subscription(("pay",), "orders.*")

    assert member.topics(["orders", "orders-eu", "old-orders"]) == ("orders", "orders-eu", "pay")


def test_topics_that_are_named_keep_their_order_which_some_clients_assign_by() -> None:
    subscription = decoded(_joined(3, ["pay", "a"]))

    assert subscription is not None
    assert subscription.topics(["orders"]) == ("pay", "a")


def test_a_pattern_that_re2_lacks_is_skipped_without_a_word_in_the_log(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert not _is_pattern("orders-(?=eu)")

    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "properties",
    [
        {"security.protocol": "SASL_SSL", "sasl.mechanism": "GSSAPI"},
        {"security.protocol": "SASL_SSL", "sasl.mechanism": "OAUTHBEARER"},
        {"security.protocol": "SSL", "ssl.key.pem": "-----BEGIN"},
        {"security.protocol": "SSL", "ssl.engine.location": "engine"},
    ],
)
def test_properties_that_kafka_python_does_not_support_rule_it_out(
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
        assert cluster.subscriptions(GROUP, other.address) == {}
    time.sleep(0.5)

    assert other.connections == []


def _text(value: str | None) -> bytes:
    if value is None:
        return struct.pack(">h", -1)
    return struct.pack(">h", len(value.encode())) + value.encode()


def _joined(version: int, topics: Sequence[str | None], rack: str | None = None) -> bytes:
    """Encode a member's message, field by field in the order of the protocol's definition."""
    data = struct.pack(">hi", version, len(topics)) + b"".join(map(_text, topics))
    data += struct.pack(">i", 3) + b"abc"  # user data
    if version >= 1:
        data += struct.pack(">i", 1) + _text("orders") + struct.pack(">iii", 2, 0, 1)
    if version >= 2:
        data += struct.pack(">i", 7)
    if version >= 3:
        data += _text(rack)
    return data


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_every_version_has_topics_and_those_from_3_on_a_rack(version: int) -> None:
    found = decoded(_joined(version, ["orders", "größe"], "rack-a"))

    assert found == Subscription(("orders", "größe"), rack="rack-a" if version >= 3 else None)


def test_no_rack_is_none() -> None:
    assert decoded(_joined(3, ["orders"])) == Subscription(("orders",))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"\0\3\0\0\0\1",
        b"\0\0\x7f\xff\xff\xff\0\1a",
        _joined(3, ["orders"], "rack-a")[:-2],
        b"\0\0\0\0\0\1\0\2\xff\xfe\0\0\0\0",
        b"\xff\xff\0\0\0\1\0\1a\0\0\0\0",
        b"not a consumer's at all",
        _joined(3, ["orders", None]),
    ],
)
def test_bytes_that_no_consumer_sends_are_no_subscription(data: bytes) -> None:
    assert decoded(data) is None
