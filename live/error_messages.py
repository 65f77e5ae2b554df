"""Turn the client's error codes into sentences: what failed, where, and the way out."""

import re
from collections.abc import Callable
from typing import Final

from confluent_kafka import KafkaError

from live.access import Access
from live.errors import (
    ConnectWorkersError,
    DeniedError,
    LiveError,
    LoginError,
    PropertyError,
    UnknownGroupError,
    UnknownTopicError,
    UnreachableError,
)

_NAMES: Final = {
    "login": "_AUTHENTICATION SASL_AUTHENTICATION_FAILED UNSUPPORTED_SASL_MECHANISM "
    "ILLEGAL_SASL_STATE",
    "tls": "_SSL",
    "host name": "_RESOLVE",
    "no response": "_TRANSPORT _ALL_BROKERS_DOWN _TIMED_OUT _TIMED_OUT_QUEUE _DESTROY "
    "REQUEST_TIMED_OUT NETWORK_EXCEPTION BROKER_NOT_AVAILABLE COORDINATOR_NOT_AVAILABLE "
    "COORDINATOR_LOAD_IN_PROGRESS NOT_COORDINATOR",
    "leaderless": "_NOENT LEADER_NOT_AVAILABLE NOT_LEADER_FOR_PARTITION",
    "too old": "UNSUPPORTED_VERSION _UNSUPPORTED_FEATURE",
    "unknown group": "GROUP_ID_NOT_FOUND",
    "unknown topic": "UNKNOWN_TOPIC_OR_PART _UNKNOWN_TOPIC _UNKNOWN_PARTITION",
    "group right": "GROUP_AUTHORIZATION_FAILED",
    "topic right": "TOPIC_AUTHORIZATION_FAILED",
    "cluster right": "CLUSTER_AUTHORIZATION_FAILED",
}
_KINDS: Final = {name: kind for kind, names in _NAMES.items() for name in names.split()}
"""The kind of failure by the error's name; those with an underscore are the client's own."""
_REPORTED: Final = {
    **{name: kind for name, kind in _KINDS.items() if kind in ("login", "tls", "host name")},
    "_TRANSPORT": "no response",
    "_ALL_BROKERS_DOWN": "all",
}
"""What the client reports apart from the responses, by the error's name."""
_SENTENCES: Final[dict[str, tuple[type[LiveError], str]]] = {
    "login": (
        LoginError,
        "The broker refused the login: {text}; check sasl.mechanism, sasl.username, sasl.password.",
    ),
    "tls": (
        LoginError,
        "TLS failed: {text}; check security.protocol, ssl.ca.location or ssl.ca.pem, and the port.",
    ),
    "closed": (
        LoginError,
        (
            "TLS failed, the broker closed the connection: {text}; its port may be one without "
            "TLS, or it wants another client certificate (ssl.certificate.pem and ssl.key.pem)."
        ),
    ),
    "leaderless": (
        UnreachableError,
        "No broker leads {what} just now; try again when one has taken over.",
    ),
    "too old": (LiveError, "The brokers are too old for {what} to be read: {text}."),
    "workers": (
        ConnectWorkersError,
        (
            "It is the workers of a Connect cluster that make {what}: the leading worker places "
            "connectors and tasks, so no strategy of consumer groups applies; ask a worker's REST "
            "port for GET /connectors?expand=status&expand=info and paste the answer."
        ),
    ),
    "unknown group": (UnknownGroupError, "The cluster does not know {what}."),
    "unknown topic": (UnknownTopicError, "The cluster does not know {what}."),
}
_OF_WORKERS: Final = "(connect)"
"""How the client ends its refusal of a group whose protocol type is Connect's."""
_BROKER_NAME: Final = re.compile(r"^\S+/(?:bootstrap|\d+): ")
_UNRESOLVED: Final = re.compile(r"Failed to resolve '(.*):(\d+)'")


class ConnectionErrors:
    """What recently went wrong with connections, so that a timeout can name its cause.

    The client reports this separately from the responses: a request to a broker that refuses the
    password merely times out.
    """

    def __init__(self, servers: str, access: Access) -> None:
        self._servers = servers
        self._access = access
        self._last: dict[str, str] = {}
        self._not_allowed: PropertyError | None = None

    def note(self, error: KafkaError) -> None:
        """Keep the last report of each kind; for the client's ``error_cb``."""
        text = error.str()
        address = _UNRESOLVED.search(text)
        if address is not None and not self._access.allows(address[1], int(address[2])):
            self._not_allowed = not_allowed(self._servers, f"{address[1]}:{address[2]}")
        kind = _REPORTED.get(error.name())
        if kind == "no response" and "SSL handshake" in text:
            kind = "tls"
        elif kind == "no response" and "SSL connection closed" in text:
            kind = "closed"
        if kind is not None:
            self._last[kind] = text

    def forget(self) -> None:
        """Forget all reports, before the next request."""
        self._last.clear()

    def is_hopeless(self, *, has_answered: bool) -> bool:
        """Return whether waiting longer cannot help.

        A refused login will be refused again. A broker that has answered before may be restarting.
        """
        if self._not_allowed is not None or "login" in self._last:
            return True
        if has_answered:
            return False
        kinds = self._last.keys()
        are_all_down = "all" in kinds and kinds & {"host name", "no response"}
        return bool(are_all_down or kinds & {"tls", "closed"})

    def no_response(self, *, has_answered: bool = False) -> LiveError:
        """Return the most likely reason for the missing response."""
        if self._not_allowed is not None:
            return self._not_allowed
        for kind in ("login", "tls", *(() if has_answered else ("closed",))):
            if kind in self._last:
                return _error(kind, "", self._last[kind])
        for kind in ("host name", "no response", "closed"):
            if kind in self._last:
                reason = _plain(self._last[kind])
                return UnreachableError(f"No broker could be reached at {self._servers}: {reason}.")
        message = f"No response from {self._servers} in time: a busy broker, or not a Kafka broker."
        return UnreachableError(message)


def not_allowed(servers: str, address: str) -> PropertyError:
    """Return the error for a broker that the cluster names and that is not listed."""
    message = (
        f"The cluster at {servers} sends clients on to {address}, which is not among the servers "
        "that may be connected to; the operator of this page can list it."
    )
    return PropertyError(message)


def error_of(error: KafkaError, what: str, no_response: Callable[[], LiveError]) -> LiveError:
    """Return the error for what the client reported on ``what``: "the group 'g'"."""
    kind = _KINDS.get(error.name(), "")
    if kind in ("no response", "host name"):
        return no_response()
    if kind.endswith(" right"):
        return _denied(what, kind.removesuffix(" right"))
    if _OF_WORKERS in error.str():
        kind = "workers"
    if kind in _SENTENCES:
        return _error(kind, what, error.str())
    return LiveError(f"Reading {what} failed: {_plain(error.str())} ({error.name()}).")


def _denied(what: str, kind: str) -> LiveError:
    is_of_group = kind == "topic" and not what.startswith("the topic")
    where = "one of its topics" if is_of_group else f"the {kind}"
    message = (
        f"The user may not read {what}: it lacks the DESCRIBE permission on {where}; a cluster "
        "administrator can grant it with kafka-acls.sh."
    )
    return DeniedError(message)


def _error(kind: str, what: str, text: str) -> LiveError:
    family, sentence = _SENTENCES[kind]
    return family(sentence.format(what=what, text=_plain(text)))


def _plain(text: str) -> str:
    """Return the client's message without its broker names and timings."""
    return _BROKER_NAME.sub("", text).partition(" (after ")[0].rstrip(". ")
