import pytest
from kafka_assignments_plugins.user_data import UserData

TOLD = UserData(7, (("orders", 1), ("orders", 4)), (("päck", 0),), {"c9": (("t", 2),)})
BYTES = bytes.fromhex(
    "01 00000007"
    " 00000001 0006 6f7264657273 00000002 00000001 00000004"
    " 00000001 0005 70c3a4636b 00000001 00000000"
    " 00000001 0002 6339 00000001 0001 74 00000001 00000002"
)


def test_the_bytes_are_those_of_the_format() -> None:
    assert TOLD.encoded() == BYTES
    assert UserData.decoded(BYTES) == TOLD


def test_a_later_version_may_append() -> None:
    assert UserData.decoded(b"\x02" + BYTES[1:] + b"more") == TOLD


@pytest.mark.parametrize(
    "data",
    [None, b"", b"\x00", b"\x01\x00", BYTES[:-1], BYTES[:5] + b"\x7f\xff\xff\xff", b"\xff" * 40],
)
def test_what_cannot_be_read_says_nothing(data: bytes | None) -> None:
    assert UserData.decoded(data) == UserData()
