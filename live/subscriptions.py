"""Subscriptions of members, which confluent-kafka neither decodes nor requests.

For groups of the ``consumer`` protocol kafka-python sends one request, ConsumerGroupDescribe (API
key 69, KIP-848), to the group's coordinator. It requests no metadata, so it learns of no other
server and connects to none.
"""

import logging
import ssl
import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import re2
from kafka.errors import KafkaError
from kafka.net.manager import KafkaConnectionManager
from kafka.net.selector import NetworkSelector
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.consumer.metadata import ConsumerProtocolSubscription

from live.properties import Properties

logging.getLogger("kafka").addHandler(logging.NullHandler())
logging.getLogger("kafka").propagate = False

_PLAIN: Final = {
    "sasl.mechanism": "sasl_mechanism",
    "sasl.username": "sasl_plain_username",
    "sasl.password": "sasl_plain_password",
    "client.id": "client_id",
}
_TLS: Final = frozenset(
    """
    ssl.ca.location ssl.ca.pem ssl.certificate.location ssl.key.location ssl.key.password
    ssl.endpoint.identification.algorithm enable.ssl.certificate.verification
    """.split()  # noqa: SIM905 -- as a list it would be a line for each
)
_QUIET: Final = re2.Options()
_QUIET.log_errors = False  # a group's pattern does not belong in the server's log
_NEEDED_ELSEWHERE: Final = ("sasl.", "ssl.", "https.", "plugin.")
_MECHANISMS: Final = frozenset({"", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"})


class ConsumerGroupDescribeRequest(ApiMessage, load_json=__package__):  # type: ignore[misc, call-arg]
    """Asks a coordinator about groups."""


class ConsumerGroupDescribeResponse(ApiMessage, load_json=__package__):  # type: ignore[misc, call-arg]
    """The members of each group."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """What one member subscribes to, and its rack."""

    names: tuple[str, ...]
    pattern: str = ""
    """An RE2 expression that must match whole topic names; "" for none."""
    rack: str | None = None

    def topics(self, existing: Collection[str]) -> tuple[str, ...]:
        """Return the named topics in the member's order; sorted together with a pattern's matches.

        >>> Subscription(("b",), "a.*").topics(["a1", "ba"])
        ('a1', 'b')
        """
        if not self.pattern:
            return self.names
        pattern = re2.compile(self.pattern, _QUIET)
        matched = {name for name in existing if pattern.fullmatch(name)}
        return tuple(sorted({*self.names, *matched}))


def decoded(metadata: bytes) -> Subscription | None:
    """Return the subscription that a classic member sent when it joined; None if it is no consumer.

    Source: ConsumerProtocolSubscription.json of Apache Kafka; KIP-429, KIP-792, KIP-881.
    """
    try:
        sent = ConsumerProtocolSubscription.decode(metadata)
    except (struct.error, ValueError):
        return None
    if None in (sent.topics or ()):  # which the format allows, and no consumer sends
        return None
    return Subscription(tuple(sent.topics or ()), rack=sent.rack_id or None)


def subscriptions(
    properties: Properties, coordinator: tuple[str, int], group: str, timeout_s: float
) -> dict[str, Subscription]:
    """Return the subscription of each member of the ``consumer`` protocol, by member id.

    Empty if kafka-python does not support the properties or the broker does not answer: the group
    is then shown with a note on what is assumed.
    """
    config = _config(properties)
    if config is None:
        return {}
    host, port = coordinator
    server = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    net = NetworkSelector()
    manager = KafkaConnectionManager(net, bootstrap_servers=server, **config)
    try:
        response = net.run(_describe, manager, group, timeout_s)
    except (KafkaError, OSError, ValueError, LookupError, struct.error):
        return {}
    finally:
        manager.close()
        net.close()
    return {
        member.member_id: Subscription(
            tuple(sorted(member.subscribed_topic_names)),
            member.subscribed_topic_regex or "",
            member.rack_id or None,
        )
        for each in response.groups
        if not each.error_code
        for member in each.members
        if _is_pattern(member.subscribed_topic_regex or "")
    }


def _is_pattern(text: str) -> bool:
    """Return whether RE2 can compile the pattern, which the broker's RE2/J has accepted."""
    try:
        re2.compile(text, _QUIET)
    except re2.error:
        return False
    return True


async def _describe(manager: Any, group: str, timeout_s: float) -> Any:  # noqa: ANN401 -- no types there
    (node,) = manager.cluster.bootstrap_brokers()
    milliseconds = timeout_s * 1000
    connection = manager.get_connection(
        node.node_id, timeout_ms=milliseconds, refresh_metadata_on_err=False
    )
    await connection
    request = ConsumerGroupDescribeRequest(group_ids=[group], include_authorized_operations=False)
    return await connection.send_request(request, request_timeout_ms=milliseconds)


def _config(properties: Mapping[str, str]) -> dict[str, Any] | None:
    """Return kafka-python's settings for these properties; None if it lacks one of them."""
    known = {*_PLAIN, *_TLS, "security.protocol"}
    if any(name.startswith(_NEEDED_ELSEWHERE) and name not in known for name in properties):
        return None
    config: dict[str, Any] = {
        ours: properties[name] for name, ours in _PLAIN.items() if name in properties
    }
    config["security_protocol"] = properties.get("security.protocol", "PLAINTEXT").upper()
    if config["security_protocol"].startswith("SASL"):
        config["sasl_mechanism"] = config.get("sasl_mechanism", "").upper()
        if config["sasl_mechanism"] not in _MECHANISMS - {""}:
            return None
    if config["security_protocol"].endswith("SSL"):
        config["ssl_context"] = _tls(properties)
        config["ssl_check_hostname"] = config["ssl_context"].check_hostname
    return config


def _tls(properties: Mapping[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context(
        cafile=properties.get("ssl.ca.location"), cadata=properties.get("ssl.ca.pem")
    )
    if properties.get("ssl.endpoint.identification.algorithm", "https").lower() == "none":
        context.check_hostname = False
    if properties.get("enable.ssl.certificate.verification", "true").lower() == "false":
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if "ssl.certificate.location" in properties:
        context.load_cert_chain(
            properties["ssl.certificate.location"],
            properties.get("ssl.key.location"),
            properties.get("ssl.key.password"),
        )
    return context
