"""Keeps librdkafka from connecting to any address that is not allowed.

Metadata and coordinator responses name brokers, and librdkafka connects and logs in to them by
itself. Before every connection it resolves the address, a numeric one too, through a callback
that its Python binding does not offer. Set from here, that callback refuses an address before
its name is looked up and before a packet is sent.

This relies on two undocumented facts about librdkafka and its binding: the first field of a client
object is its ``rd_kafka_t *``, and ``rd_kafka_conf`` returns the settings in use, not a copy. The
tests count connections to a forbidden broker and would detect either change.
"""

import ctypes
import re
import socket
from functools import cache
from typing import Any, Final

from confluent_kafka import cimpl
from confluent_kafka.admin import AdminClient

from live.access import Access
from live.errors import PropertyError

_HANDLE: Final = object.__basicsize__
"""Offset of the ``rd_kafka_t *`` in the binding's objects: it is their first field."""
_PORT: Final = re.compile(r"\d{1,5}", re.ASCII)
_Resolver = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_char_p,  # host; NULL to free what was resolved before
    ctypes.c_char_p,  # port
    ctypes.c_void_p,  # const struct addrinfo *hints
    ctypes.c_void_p,  # struct addrinfo **result
    ctypes.c_void_p,  # opaque
)


def confine(admin: AdminClient, servers: str, access: Access) -> None:
    """Give a client without servers these ones, and keep it from all that are not allowed.

    Raises PropertyError if the installed client cannot be confined; it then connects nowhere.
    """
    try:
        library = _library()
        client = ctypes.c_void_p.from_address(id(admin) + _HANDLE).value
        is_ours = client is not None and library.rd_kafka_opaque(client) == id(admin)
    except (OSError, AttributeError):
        is_ours = False
    if not is_ours:
        message = (
            "The Kafka client installed here cannot be held to listed servers, so this page does "
            "not connect to any; its operator can offer named clusters instead."
        )
        raise PropertyError(message)
    library.rd_kafka_conf_set_resolve_cb(library.rd_kafka_conf(client), _resolver(access))
    library.rd_kafka_brokers_add(client, servers.encode())


@cache
def _library() -> Any:  # noqa: ANN401 -- functions of C
    """Return librdkafka as the binding has loaded it, with the types of what is called here."""
    library = ctypes.CDLL(cimpl.__file__)
    for name, result, arguments in (
        ("rd_kafka_opaque", ctypes.c_void_p, [ctypes.c_void_p]),
        ("rd_kafka_conf", ctypes.c_void_p, [ctypes.c_void_p]),
        ("rd_kafka_conf_set_resolve_cb", None, [ctypes.c_void_p, _Resolver]),
        ("rd_kafka_brokers_add", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]),
        ("getaddrinfo", ctypes.c_int, [*[ctypes.c_char_p] * 2, *[ctypes.c_void_p] * 2]),
        ("freeaddrinfo", None, [ctypes.c_void_p]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


@cache  # a client may still resolve while it is being freed: resolvers live as long as the process
def _resolver(access: Access) -> Any:  # noqa: ANN401 -- a function of C
    library = _library()

    def resolve(
        host: bytes | None,
        port: bytes | None,
        hints: int | None,
        result: int,
        _opaque: int | None,
    ) -> int:
        if host is None:
            library.freeaddrinfo(ctypes.c_void_p.from_address(result).value)
            return 0
        if not _is_allowed(access, host.decode(errors="replace"), (port or b"").decode("latin-1")):
            return socket.EAI_FAIL
        status: int = library.getaddrinfo(host, port, hints, result)
        return status

    return _Resolver(resolve)


def _is_allowed(access: Access, host: str, port: str) -> bool:
    return _PORT.fullmatch(port) is not None and access.allows(host, int(port))
