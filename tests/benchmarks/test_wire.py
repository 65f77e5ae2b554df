"""The stand-in's wire format: what is written can be read."""

from benchmarks.wire import Reader, array, blob, int16, int32, text


def test_what_is_written_is_read_back_in_order() -> None:
    written = int16(-2) + text("Zürich") + blob(b"\x00\x01") + array([int32(7), int32(-8)])

    reader = Reader(written)

    assert (reader.int16(), reader.text(), reader.blob()) == (-2, "Zürich", b"\x00\x01")
    assert [reader.int32() for _ in range(reader.int32())] == [7, -8]


def test_numbers_are_big_endian_and_lengths_come_first() -> None:
    assert text("ab") == b"\x00\x02ab"
    assert blob(b"ab") == b"\x00\x00\x00\x02ab"
    assert int32(258) == b"\x00\x00\x01\x02"
