"""Errors of this package: what a cluster refused or failed to say."""

from typing import TypeVar

_Response = TypeVar("_Response")


class LiveError(ValueError):
    """A cluster cannot be read; the message is one sentence with the place and the way out.

    No message holds a secret of the properties that were given.
    """


class PropertyError(LiveError):
    """A client property cannot be understood, translated or allowed."""


class UnreachableError(LiveError):
    """No broker answered, or one stopped in the middle; trying again later may help."""


class LoginError(LiveError):
    """A broker refused the user, or TLS could not be agreed on."""


class DeniedError(LiveError):
    """The user lacks a right; the message names it and its resource."""


class UnknownGroupError(LiveError):
    """The cluster does not know the group."""


class UnknownTopicError(LiveError):
    """The cluster does not know the topic, or not any more."""


class CancelledError(LiveError):
    """The caller cancelled the reading."""


def value_of(response: _Response | LiveError) -> _Response:
    """Return the response; raise it if it is an error."""
    if isinstance(response, LiveError):
        raise response
    return response
