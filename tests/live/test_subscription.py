import struct

import pytest

from live.groups import Subscription, subscription_of


def _text(value: str | None) -> bytes:
    if value is None:
        return struct.pack(">h", -1)
    return struct.pack(">h", len(value.encode())) + value.encode()


def _joined(version: int, topics: list[str], rack: str | None = None) -> bytes:
    """Write what a member sends, field by field as the protocol's definition lists them."""
    data = struct.pack(">hi", version, len(topics)) + b"".join(map(_text, topics))
    data += struct.pack(">i", 3) + b"abc"  # user data
    if version >= 1:
        data += struct.pack(">i", 1) + _text("orders") + struct.pack(">iii", 2, 0, 1)
    if version >= 2:
        data += struct.pack(">i", 7)
    if version >= 3:
        data += _text(rack)
    return data


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_topics_are_told_by_every_version_and_racks_from_3_on(version: int) -> None:
    found = subscription_of(_joined(version, ["orders", "größe"], "rack-a"))

    assert found == Subscription(("orders", "größe"), "rack-a" if version >= 3 else None)


def test_no_rack_is_none() -> None:
    assert subscription_of(_joined(3, ["orders"])) == Subscription(("orders",), None)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"\0\3\0\0\0\1",
        b"\0\0\x7f\xff\xff\xff\0\1a",
        _joined(3, ["orders"], "rack-a")[:-2],
        b"\0\0\0\0\0\1\0\2\xff\xfe\0\0\0\0",
        b"not a consumer's at all",
    ],
)
def test_bytes_that_are_none_of_a_consumers_tell_nothing(data: bytes) -> None:
    assert subscription_of(data) is None
