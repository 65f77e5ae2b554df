"""Connect's REST API: what runs where, asked of one worker.

One request, GET /connectors?expand=status, to the host and port of the URL alone: redirects are
not followed, and the connectors' settings, which may hold passwords, are not asked for.
"""

from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from live.access import Access
from live.errors import DeniedError, LiveError, PropertyError, UnreachableError

_PATH: Final = "/connectors?expand=status"
_PORTS: Final = {"http": 8083, "https": 8443}
_MOST_BYTES: Final = 50_000_000
_OK: Final = 200
_DENIED: Final = frozenset({401, 403})


def connectors(url: str, access: Access | None = None, timeout_s: float = 15.0) -> str:
    """Return the answer of a worker as it came, a JSON object; ``access`` confines a visitor.

    Raises PropertyError for a URL that is none or not allowed, UnreachableError, DeniedError, or
    another LiveError. No message quotes the URL's path or user, which may be a secret.
    """
    scheme, host, port = _place(url)
    if access is not None and not access.allows(host, port):
        message = (
            f"This page may not connect to {host}:{port}; its operator has allowed "
            f"{', '.join(access.servers or ())}."
        )
        raise PropertyError(message)
    kind = HTTPSConnection if scheme == "https" else HTTPConnection
    connection = kind(host, port, timeout=timeout_s)
    try:
        connection.request("GET", _PATH, headers={"Accept": "application/json"})
        response = connection.getresponse()
        body = response.read(_MOST_BYTES + 1)
    except (OSError, HTTPException) as error:
        why = str(error) or type(error).__name__
        message = f"No worker answered at {host}:{port}: {why}."
        raise UnreachableError(message) from error
    finally:
        connection.close()
    if response.status in _DENIED:
        message = (
            f"{host}:{port} wants a login (status {response.status}); paste the answer of GET "
            "/connectors?expand=status instead."
        )
        raise DeniedError(message)
    if response.status != _OK or len(body) > _MOST_BYTES:
        what = "too long" if len(body) > _MOST_BYTES else f"status {response.status}"
        message = (
            f"{host}:{port} does not answer as a worker of Connect does ({what}); give the REST "
            "address of one, such as http://HOST:8083."
        )
        raise LiveError(message)
    return body.decode(errors="replace")


def _place(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port. Raises PropertyError."""
    try:
        parts = urlsplit(url.strip() if "://" in url else f"http://{url.strip()}")
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        parts, port = urlsplit(""), 0
    if (
        parts.scheme not in _PORTS
        or not port
        or not parts.hostname
        or parts.username
        or parts.password
    ):
        message = (
            "Connect's REST address is http://HOST:8083 or https://HOST:8443, without a login."
        )
        raise PropertyError(message)
    return parts.scheme, parts.hostname, port
