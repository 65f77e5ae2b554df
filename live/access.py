"""Which servers a shared page may connect to, and which client properties its visitors may set."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from live.errors import PropertyError
from live.properties import Properties

_PORT: Final = 9092
_LARGEST_PORT: Final = 65_535
_HOST: Final = re.compile(r"[A-Za-z0-9_.-]+|[0-9A-Fa-f:.]+|\[[0-9A-Fa-f:.]+\]", re.ASCII)
_SERVER: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(?::(\d{1,5}))?", re.ASCII)
_VISITOR_PROPERTIES: Final = frozenset(
    """
    bootstrap.servers broker.address.family client.dns.lookup client.id
    enable.ssl.certificate.verification sasl.mechanism sasl.password sasl.username
    security.protocol ssl.ca.pem ssl.certificate.pem ssl.endpoint.identification.algorithm
    ssl.key.password ssl.key.pem
    """.split()  # noqa: SIM905 -- as a list it would be a line for each
)
"""None of these makes the server read a file, load a library, start a program or fetch a URL."""
_VISITOR_MECHANISMS: Final = frozenset({"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"})
"""GSSAPI starts kinit on the server, OAUTHBEARER fetches a token from any address."""


@dataclass(frozen=True)
class Access:
    """Which servers a visitor may connect to from the machine that serves the page."""

    servers: tuple[str, ...] | None = None
    """Patterns such as ``*.example.com:9092``; None for any server."""

    def allows(self, host: str, port: int) -> bool:
        """Return whether the client may connect to this host and port."""
        if self.servers is None:
            return True
        if _HOST.fullmatch(host) is None:  # a resolver may make something of "127.0.0.1 b1"
            return False
        name = f"{host.lower().strip('[]')}:{port}"
        return any(fnmatchcase(name, pattern) for pattern in self.servers)

    def check(self, properties: Properties) -> Properties:
        """Return a visitor's properties if they are allowed, with normalized servers.

        Raises PropertyError for a property that gives access to this machine, and for a server that
        is not listed.
        """
        for name in properties:
            if name not in _VISITOR_PROPERTIES:
                message = (
                    f"{name} cannot be set on this page, as it would reach into the machine that "
                    "serves it; paste certificates and keys as ssl.ca.pem, ssl.certificate.pem "
                    "and ssl.key.pem, or use assign.py."
                )
                raise PropertyError(message)
        _check_mechanism(properties)
        servers = servers_in(properties.servers)
        for host, port in servers:
            if not self.allows(host, port):
                message = (
                    f"This page may not connect to {host}:{port}; its operator has allowed "
                    f"{', '.join(self.servers or ())}."
                )
                raise PropertyError(message)
        normalized = ",".join(f"{host}:{port}" for host, port in servers)
        return Properties({**properties, "bootstrap.servers": normalized})


def access_to(servers: Sequence[str]) -> Access:
    """Return access to these servers alone; ``*`` matches anything, the port defaults to 9092."""
    return Access(tuple(_pattern(each) for each in servers))


def _pattern(server: str) -> str:
    host, colon, port = server.strip().lower().rpartition(":")
    if not colon or server.strip().endswith("]"):
        host, port = server.strip().lower(), str(_PORT)
    return f"{host.strip('[]')}:{port}"


def servers_in(text: str) -> list[tuple[str, int]]:
    """Return host and port of each server; refuse ambiguous lists.

    The error does not quote the list: it may hold a password, as URLs do.
    """
    matches = [_SERVER.fullmatch(each.strip()) for each in text.split(",") if each.strip()]
    servers = [(match[1], int(match[2] or _PORT)) for match in matches if match is not None]
    is_read = matches and len(servers) == len(matches)
    if not is_read or any(not 0 < port <= _LARGEST_PORT for _, port in servers):
        message = "bootstrap.servers: write each as host:port, with commas between them."
        raise PropertyError(message)
    return servers


def _check_mechanism(properties: Properties) -> None:
    protocol = properties.get("security.protocol", "plaintext").upper()
    mechanism = properties.get("sasl.mechanism", "").upper()
    if protocol.startswith("SASL") and mechanism not in _VISITOR_MECHANISMS:
        message = (
            f"sasl.mechanism must be {', '.join(sorted(_VISITOR_MECHANISMS))} on this page; use "
            "assign.py for others."
        )
        raise PropertyError(message)
