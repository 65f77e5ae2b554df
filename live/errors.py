"""Errors of this package: requests that a cluster refused or did not answer."""

from typing import Final, TypeVar

_Response = TypeVar("_Response")
BROKE_OFF: Final = (
    "The Kafka client broke off in the middle of reading, as it can while brokers restart or hand "
    "groups over to one another; read again in a moment."
)
"""librdkafka crashes its process when a coordinator answers a request for commits with
NOT_COORDINATOR or COORDINATOR_NOT_AVAILABLE (2.16; confluent-kafka-javascript's issue 374). So it
runs in a process of its own."""


class LiveError(ValueError):
    """A cluster cannot be read; the message is one sentence with the place and the way out.

    No message contains a secret from the properties.
    """


class PropertyError(LiveError):
    """A client property cannot be understood, translated or allowed."""


class UnreachableError(LiveError):
    """No broker answered, or one stopped answering; trying again later may help."""


class LoginError(LiveError):
    """A broker refused the login, or the TLS handshake failed."""


class DeniedError(LiveError):
    """The user lacks a right; the message names it and its resource."""


class UnknownGroupError(LiveError):
    """The cluster does not know the group."""


class ConnectWorkersError(LiveError):
    """The group is one of Connect's workers, which clients of consumer groups cannot read."""


class NewerKindError(LiveError):
    """The group is a share or a streams group, which the Kafka client cannot read."""


class UnknownTopicError(LiveError):
    """The cluster does not know the topic, or no longer does."""


class CancelledError(LiveError):
    """The caller cancelled the reading."""


def value_of(response: _Response | LiveError) -> _Response:
    """Return the response; raise it if it is an error."""
    if isinstance(response, LiveError):
        raise response
    return response
