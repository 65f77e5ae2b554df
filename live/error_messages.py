"""From the client's error codes to sentences: what failed, where, and the way out."""

import re
from collections.abc import Callable
from typing import Final

from confluent_kafka import KafkaError

from live.access import Access
from live.errors import (
    DeniedError,
    LiveError,
    LoginError,
    PropertyError,
    UnknownGroupError,
    UnknownTopicError,
    UnreachableError,
)

_LOGIN: Final = frozenset(
    {
        KafkaError._AUTHENTICATION,  # noqa: SLF001 -- the client's public name for a local error
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError.UNSUPPORTED_SASL_MECHANISM,
        KafkaError.ILLEGAL_SASL_STATE,
    }
)
_TLS: Final = frozenset({KafkaError._SSL})  # noqa: SLF001 -- likewise
_NAME: Final = frozenset({KafkaError._RESOLVE})  # noqa: SLF001 -- likewise
_RESOLVED: Final = re.compile(r"Failed to resolve '(.*):(\d+)'")
_SILENCE: Final = frozenset(
    {
        KafkaError._TRANSPORT,  # noqa: SLF001 -- likewise, as the next ones
        KafkaError._ALL_BROKERS_DOWN,  # noqa: SLF001
        KafkaError._TIMED_OUT,  # noqa: SLF001
        KafkaError._TIMED_OUT_QUEUE,  # noqa: SLF001
        KafkaError._DESTROY,  # noqa: SLF001
        KafkaError.REQUEST_TIMED_OUT,
        KafkaError.NETWORK_EXCEPTION,
        KafkaError.BROKER_NOT_AVAILABLE,
        KafkaError.COORDINATOR_NOT_AVAILABLE,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
        KafkaError.NOT_COORDINATOR,
    }
)
_LEADERLESS: Final = frozenset(
    {
        KafkaError._NOENT,  # noqa: SLF001 -- likewise; the client's word for it
        KafkaError.LEADER_NOT_AVAILABLE,
        KafkaError.NOT_LEADER_FOR_PARTITION,
    }
)
_OLD: Final = frozenset(
    {
        KafkaError.UNSUPPORTED_VERSION,
        KafkaError._UNSUPPORTED_FEATURE,  # noqa: SLF001 -- likewise
    }
)
_RIGHTS: Final = {
    KafkaError.GROUP_AUTHORIZATION_FAILED: "group",
    KafkaError.TOPIC_AUTHORIZATION_FAILED: "topic",
    KafkaError.CLUSTER_AUTHORIZATION_FAILED: "cluster",
}
_UNKNOWN_GROUP: Final = frozenset({KafkaError.GROUP_ID_NOT_FOUND})
_UNKNOWN_TOPIC: Final = frozenset(
    {
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError._UNKNOWN_TOPIC,  # noqa: SLF001 -- likewise
        KafkaError._UNKNOWN_PARTITION,  # noqa: SLF001 -- likewise
    }
)


class ConnectionErrors:
    """What went wrong with connections of late, so that a timeout can name its cause.

    The client reports those apart from the answers: a request to a broker that refuses
    the password merely times out.
    """

    def __init__(self, servers: str, access: Access) -> None:
        self._servers = servers
        self._access = access
        self._not_allowed: str | None = None
        self._last: dict[str, str] = {}

    def note(self, error: KafkaError) -> None:
        """Keep the last report of each kind; for the client's ``error_cb``."""
        address = _RESOLVED.search(error.str())
        if address is not None and not self._access.allows(address[1], int(address[2])):
            self._not_allowed = f"{address[1]}:{address[2]}"
        for kind, codes in (("login", _LOGIN), ("tls", _TLS), ("name", _NAME)):
            if error.code() in codes:
                self._last[kind] = error.str()
                return
        if error.code() == KafkaError._TRANSPORT:  # noqa: SLF001 -- likewise
            kind = "tls" if "SSL handshake" in error.str() else "silence"
            self._last[kind] = error.str()
        if error.code() == KafkaError._ALL_BROKERS_DOWN:  # noqa: SLF001 -- likewise
            self._last["all"] = error.str()

    def forget(self) -> None:
        """Start anew, before the next request."""
        self._last.clear()

    def is_hopeless(self, *, has_answered: bool) -> bool:
        """Tell whether waiting on cannot help.

        A refused login will be refused again. A broker that has answered before and does
        not now may be restarting.
        """
        if has_answered or "login" in self._last or self._not_allowed:
            return "login" in self._last or self._not_allowed is not None
        is_nobody_there = "all" in self._last and not {"name", "silence"}.isdisjoint(self._last)
        return "tls" in self._last or is_nobody_there

    def silence(self) -> LiveError:
        """Return why nothing was heard, as far as it is known."""
        if self._not_allowed is not None:
            return not_allowed(self._servers, self._not_allowed)
        if "login" in self._last:
            return _login("", _plain(self._last["login"]))
        if "tls" in self._last:
            return _tls("", _plain(self._last["tls"]))
        why = self._last.get("name") or self._last.get("silence")
        if why is None:
            message = f"No answer from {self._servers} in time; is it a Kafka broker, and busy?"
            return UnreachableError(message)
        message = f"No broker could be reached at {self._servers}: {_plain(why)}."
        return UnreachableError(message)


def not_allowed(servers: str, address: str) -> PropertyError:
    """Return the error for a broker that the cluster names and that is not listed."""
    message = (
        f"The cluster at {servers} sends clients on to {address}, which is not among the servers "
        "that may be connected to; whoever runs this page can list it."
    )
    return PropertyError(message)


def error_of(error: KafkaError, what: str, silence: Callable[[], LiveError]) -> LiveError:
    """Return the error for what the client reported on ``what``: "the group 'g'"."""
    code = error.code()
    if code in _SILENCE or code in _NAME:
        return silence()
    if code in _RIGHTS:
        return _denied(what, _RIGHTS[code])
    for codes, said in _SAID.items():
        if code in codes:
            return said(what, _plain(error.str()))
    return LiveError(f"Reading {what} failed: {_plain(error.str())} ({error.name()}).")


def _denied(what: str, kind: str) -> LiveError:
    is_of_group = kind == "topic" and not what.startswith("the topic")
    where = "one of its topics" if is_of_group else f"the {kind}"
    message = (
        f"The user may not read {what}: it lacks the right DESCRIBE on {where}; whoever runs the "
        "cluster can grant it with kafka-acls.sh."
    )
    return DeniedError(message)


def _too_old(what: str, text: str) -> LiveError:
    return LiveError(f"The brokers are too old for {what} to be read: {text}.")


def _login(_what: str, text: str) -> LiveError:
    message = (
        f"The broker refused to log in: {text}; look at sasl.mechanism, sasl.username and "
        "sasl.password."
    )
    return LoginError(message)


def _tls(_what: str, text: str) -> LiveError:
    message = (
        f"TLS failed: {text}; look at security.protocol, ssl.ca.location (or ssl.ca.pem) and the "
        "port."
    )
    return LoginError(message)


def _leaderless(what: str, _text: str) -> LiveError:
    message = f"No broker leads {what} just now; try again when one has taken over."
    return UnreachableError(message)


def _unknown_group(what: str, _text: str) -> LiveError:
    return UnknownGroupError(f"The cluster does not know {what}.")


def _unknown_topic(what: str, _text: str) -> LiveError:
    return UnknownTopicError(f"The cluster does not know {what}.")


_SAID: Final[dict[frozenset[int], Callable[[str, str], LiveError]]] = {
    _LOGIN: _login,
    _TLS: _tls,
    _UNKNOWN_GROUP: _unknown_group,
    _UNKNOWN_TOPIC: _unknown_topic,
    _LEADERLESS: _leaderless,
    _OLD: _too_old,
}


def _plain(text: str) -> str:
    """Return the client's words without what only its authors need."""
    return text.partition(" (after ")[0].rstrip(". ")
