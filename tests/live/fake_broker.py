"""A fake broker that names arbitrary other brokers and coordinators, and a listener.

It implements just enough of the protocol, in versions that librdkafka and kafka-python share. Asked
for a group's commits, it answers as a broker does that has just started: another one coordinates.
"""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from kafka.protocol.admin.groups import DescribeGroupsResponse, ListGroupsResponse
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.consumer.group import OffsetFetchResponse
from kafka.protocol.metadata import (
    ApiVersionsResponse,
    FindCoordinatorResponse,
    MetadataResponse,
)
from kafka.protocol.sasl import SaslAuthenticateResponse, SaslHandshakeResponse

HOST: Final = "127.0.0.1"
GROUP: Final = "orders"
Address = tuple[str, int]

_METADATA, _OFFSET_FETCH, _FIND_COORDINATOR, _DESCRIBE_GROUPS, _LIST_GROUPS = 3, 9, 10, 15, 16
_SASL_HANDSHAKE, _API_VERSIONS, _SASL_AUTHENTICATE = 17, 18, 36
_VERSIONS: Final = {
    _METADATA: 9,
    _FIND_COORDINATOR: 2,
    _LIST_GROUPS: 4,
    _SASL_HANDSHAKE: 1,
    _API_VERSIONS: 3,
    _SASL_AUTHENTICATE: 1,
    _OFFSET_FETCH: 7,
    _DESCRIBE_GROUPS: 5,
    1: 11,
    2: 5,  # sent to others: Fetch, ListOffsets
}
_NOT_COORDINATOR: Final = 16
_UNNAMED: Final = 7
"""The number of a coordinator that the metadata do not name."""


@contextmanager
def listening(talk: Callable[[socket.socket], None]) -> Iterator[Address]:
    """Listen on loopback and handle each connection in a thread, which closes it."""
    server = socket.create_server((HOST, 0))

    def handle(connection: socket.socket) -> None:
        with suppress(ConnectionError), connection:  # a client may leave before the response
            talk(connection)

    def accept() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=handle, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield server.getsockname()
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


@dataclass
class Stranger:
    """A listener that counts its connections."""

    address: Address
    connections: list[str] = field(default_factory=list)


@contextmanager
def stranger() -> Iterator[Stranger]:
    """Run a listener that counts connections and sends nothing."""
    found = Stranger((HOST, 0))

    def note(connection: socket.socket) -> None:
        found.connections.append(repr(connection))

    with listening(note) as address:
        found.address = address
        yield found


@contextmanager
def broker(others: list[Address], coordinator: Address | None = None) -> Iterator[Address]:
    """Run a broker that names these brokers, and one of them as every group's coordinator."""
    own: list[Address] = []

    def talk(connection: socket.socket) -> None:
        with connection.makefile("rb") as requests:
            while length := requests.read(4):
                request = requests.read(int.from_bytes(length))
                answer = _answer(request, [own[0], *others], coordinator or own[0])
                connection.sendall(bytes(answer))

    with listening(talk) as address:
        own.append(address[:2])
        yield address


def _answer(request: bytes, nodes: list[Address], coordinator: Address) -> bytearray:
    key, version = int.from_bytes(request[:2]), int.from_bytes(request[2:4])
    response = _RESPONSES[key](version, nodes, coordinator)
    response.with_header(correlation_id=int.from_bytes(request[4:8]))
    encoded: bytearray = response.encode(header=True, framed=True)
    return encoded


def _api_versions(version: int, _nodes: list[Address], _coordinator: Address) -> ApiMessage:
    keys = [
        ApiVersionsResponse.ApiVersion(api_key=key, min_version=0, max_version=newest)
        for key, newest in _VERSIONS.items()
    ]
    return ApiVersionsResponse(version=version, error_code=0, api_keys=keys, throttle_time_ms=0)


def _metadata(version: int, nodes: list[Address], _coordinator: Address) -> ApiMessage:
    brokers = [
        MetadataResponse.MetadataResponseBroker(node_id=at, host=host, port=port, rack=None)
        for at, (host, port) in enumerate(nodes)
    ]
    return MetadataResponse(
        version=version,
        throttle_time_ms=0,
        brokers=brokers,
        cluster_id="fake",
        controller_id=0,
        topics=[],
        authorized_operations=set(),
    )


def _find_coordinator(version: int, nodes: list[Address], coordinator: Address) -> ApiMessage:
    host, port = coordinator
    return FindCoordinatorResponse(
        version=version,
        throttle_time_ms=0,
        error_code=0,
        error_message=None,
        node_id=nodes.index(coordinator) if coordinator in nodes else _UNNAMED,
        host=host,
        port=port,
    )


def _list_groups(version: int, _nodes: list[Address], _coordinator: Address) -> ApiMessage:
    group = ListGroupsResponse.ListedGroup(
        group_id=GROUP, protocol_type="consumer", group_state="Stable"
    )
    return ListGroupsResponse(version=version, throttle_time_ms=0, error_code=0, groups=[group])


def _describe_groups(version: int, _nodes: list[Address], _coordinator: Address) -> ApiMessage:
    group = DescribeGroupsResponse.DescribedGroup(
        error_code=0,
        group_id=GROUP,
        group_state="Empty",
        protocol_type="consumer",
        protocol_data="",
        members=[],
        authorized_operations=set(),
    )
    return DescribeGroupsResponse(version=version, throttle_time_ms=0, groups=[group])


def _offset_fetch(version: int, _nodes: list[Address], _coordinator: Address) -> ApiMessage:
    return OffsetFetchResponse(
        version=version, throttle_time_ms=0, topics=[], error_code=_NOT_COORDINATOR
    )


def _handshake(version: int, _nodes: list[Address], _coordinator: Address) -> ApiMessage:
    return SaslHandshakeResponse(version=version, error_code=0, mechanisms=["PLAIN"])


def _authenticate(version: int, _nodes: list[Address], _coordinator: Address) -> ApiMessage:
    return SaslAuthenticateResponse(
        version=version, error_code=0, error_message=None, auth_bytes=b"", session_lifetime_ms=0
    )


_RESPONSES: Final[dict[int, Callable[[int, list[Address], Address], ApiMessage]]] = {
    _METADATA: _metadata,
    _FIND_COORDINATOR: _find_coordinator,
    _LIST_GROUPS: _list_groups,
    _DESCRIBE_GROUPS: _describe_groups,
    _OFFSET_FETCH: _offset_fetch,
    _SASL_HANDSHAKE: _handshake,
    _API_VERSIONS: _api_versions,
    _SASL_AUTHENTICATE: _authenticate,
}
