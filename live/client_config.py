"""Client properties in Java's or librdkafka's spelling, translated for our client."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from live import java_properties
from live.errors import PropertyError
from live.properties import Properties, parse_properties

_SERVERS: Final = "bootstrap.servers"
_RESETS: Final = {
    **dict.fromkeys(("latest", "largest", "end"), "latest"),
    **dict.fromkeys(("earliest", "smallest", "beginning"), "earliest"),
    "none": "none",
}
_SHARED_NAMES: Final = frozenset(
    """
    bootstrap.servers broker.address.family broker.address.ttl client.dns.lookup client.id
    connections.max.idle.ms debug enable.ssl.certificate.verification https.ca.location https.ca.pem
    log_level metadata.max.age.ms plugin.library.paths
    reconnect.backoff.max.ms reconnect.backoff.ms retry.backoff.max.ms retry.backoff.ms
    sasl.kerberos.keytab sasl.kerberos.kinit.cmd sasl.kerberos.min.time.before.relogin
    sasl.kerberos.principal sasl.kerberos.service.name sasl.mechanism sasl.oauthbearer.client.id
    sasl.oauthbearer.client.secret sasl.oauthbearer.config sasl.oauthbearer.extensions
    sasl.oauthbearer.method sasl.oauthbearer.scope sasl.oauthbearer.token.endpoint.url
    sasl.password sasl.username security.protocol socket.connection.setup.timeout.ms
    socket.keepalive.enable socket.nagle.disable ssl.ca.location ssl.ca.pem
    ssl.certificate.location ssl.certificate.pem ssl.crl.location ssl.curves.list
    ssl.endpoint.identification.algorithm ssl.engine.id ssl.engine.location ssl.key.location
    ssl.key.password ssl.key.pem ssl.providers ssl.sigalgs.list
    """.split()  # noqa: SIM905 -- as a list it would be a line for each
)
"""Spelled the same by librdkafka and by Java, where Java has them."""
_OTHER_NAMES: Final = {
    "metadata.broker.list": _SERVERS,
    "sasl.mechanisms": "sasl.mechanism",
    "sasl.oauthbearer.client.credentials.client.id": "sasl.oauthbearer.client.id",
    "sasl.oauthbearer.client.credentials.client.secret": "sasl.oauthbearer.client.secret",
    "socket.connection.setup.timeout.max.ms": "socket.connection.setup.timeout.ms",
}
_HANDLERS: Final = ("sasl.login.callback.handler.class", "sasl.client.callback.handler.class")
_OIDC_HANDLER: Final = "OAuthBearerLoginCallbackHandler"
_JAVA_ONLY: Final = (*_HANDLERS, "ssl.engine.factory.class", "sasl.login.class")
_MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI")
_PROPERTY_NAME: Final = re.compile(r"[a-z]+(?:\.[a-z0-9]+)+")
"""Anything else may be a stray part of a value, and is not shown."""
_UNWRITABLE: Final = re.compile("[\\x00\\ud800-\\udfff]")
_NAMED: Final = 5
_CLOSE: Final = 0.9
_MOST_COMPARED: Final = 1_000
_LONGEST: Final = 200
"""The longest name to compare; comparing takes time proportional to the product of the lengths."""


@dataclass(frozen=True)
class ClientConfig:
    """Properties for our client, and notes on the others."""

    properties: Properties
    auto_offset_reset: str | None = None
    """What the group's consumers do without a committed offset; None if not given."""
    notes: tuple[str, ...] = ()
    """Sentences on properties that were left out."""


def read_config(
    text: str, servers: str | None = None, defaults: Mapping[str, str] | None = None
) -> ClientConfig:
    """Return the configuration in the text of a ``client.properties`` file.

    ``servers`` override its bootstrap servers. Raises PropertyError in a sentence that names
    the property, never its value.
    """
    given = {**(defaults or {}), **parse_properties(text)}
    named = {_OTHER_NAMES.get(name, name): value for name, value in given.items()}
    if servers:
        named[_SERVERS] = servers
    _refuse_unwritable(named)
    _refuse_java_only(named)
    translated = {name: value for name, value in named.items() if name in _SHARED_NAMES}
    translated |= java_properties.translated(named)
    if _is_oidc(translated):
        translated["sasl.oauthbearer.method"] = "oidc"
    if translated.get("ssl.endpoint.identification.algorithm") == "":
        translated["ssl.endpoint.identification.algorithm"] = "none"  # empty in Java
    known = _SHARED_NAMES | java_properties.NAMES | {"auto.offset.reset", *_HANDLERS}
    unused = [name for name in named if name not in known]
    return ClientConfig(Properties(translated), _reset(named), _notes_on_unused(unused))


def _reset(named: Mapping[str, str]) -> str | None:
    value = named.get("auto.offset.reset")
    if value is None:
        return None
    if value.lower() not in _RESETS:
        message = f"auto.offset.reset: found {value!r}; choose from latest, earliest, none."
        raise PropertyError(message)
    return _RESETS[value.lower()]


def _refuse_unwritable(named: Mapping[str, str]) -> None:
    """Refuse what C would cut off at a NUL, and half characters, which it cannot be given."""
    for name, value in named.items():
        if _UNWRITABLE.search(name + value):
            shown = name if _PROPERTY_NAME.fullmatch(name) else "a property"
            message = f"{shown} holds a NUL or half a character; copy it once more."
            raise PropertyError(message)


def _refuse_java_only(named: Mapping[str, str]) -> None:
    mechanism = named.get("sasl.mechanism", "")
    if mechanism and mechanism.upper() not in _MECHANISMS:
        message = (
            f"sasl.mechanism: found {mechanism!r}, which needs a Java library; this client knows "
            f"{', '.join(_MECHANISMS)}."
        )
        raise PropertyError(message)
    for name in _JAVA_ONLY:
        if named.get(name) and not named[name].endswith(_OIDC_HANDLER):
            message = f"{name} names a Java class, which only Java clients can load; leave it out."
            raise PropertyError(message)


def _is_oidc(translated: Mapping[str, str]) -> bool:
    """Return whether to fetch a token: Java infers it, librdkafka needs it set."""
    is_oauth = translated.get("sasl.mechanism", "").upper() == "OAUTHBEARER"
    has_endpoint = "sasl.oauthbearer.token.endpoint.url" in translated
    return is_oauth and has_endpoint and "sasl.oauthbearer.method" not in translated


def _notes_on_unused(names: Iterable[str]) -> tuple[str, ...]:
    """Return a note on unused properties; raise for misspelt ones."""
    unused = sorted(names)
    named = [name for name in unused if _PROPERTY_NAME.fullmatch(name)]
    for name in named[:_MOST_COMPARED]:
        close = get_close_matches(name[:_LONGEST], _SHARED_NAMES, n=1, cutoff=_CLOSE)
        if close:
            message = f"There is no property {name!r}; did you mean {close[0]!r}?"
            raise PropertyError(message)
    if not unused:
        return ()
    more = len(unused) - len(named[:_NAMED])
    listed = [*named[:_NAMED], *([f"{more} more"] if more else [])]
    return (f"Properties that reading a cluster does not use: {', '.join(listed)}.",)
