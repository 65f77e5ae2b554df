import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.budget import Limits
from sources.errors import SourceError, UnexpectedError, guarded
from sources.text import read_files, read_stream, read_text

GROUP = {
    "id": "g",
    "topics": {"t": {"partitions": 2}},
    "members": [{"id": "c0", "topics": ["t"]}],
}
ONE_LINE = json.dumps(GROUP)
KAFKA_0_9 = """\
GROUP, TOPIC, PARTITION, CURRENT OFFSET, LOG END OFFSET, LAG, OWNER
g, t, 0, 4, 9, 5, c0_host-0
"""
DESCRIBE = """
GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST       CLIENT-ID
g      t      0          4               9               5    c0           /10.0.0.1  c
"""


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        (ONE_LINE, "group JSON"),
        (json.dumps(GROUP, indent=2), "group JSON"),
        (f"\ufeff\n{ONE_LINE}\n", "group JSON"),
        ("topic,partition,lag\nt,0,5\n", "CSV tables"),
        ("\nTopic;Partition;Lag;Member\nt;0;5;c\n", "CSV tables"),
        ("topic,partition,lag,hint\nt,0,5,x\n", "CSV tables"),
        (DESCRIBE, "kafka-consumer-groups --describe"),
        (KAFKA_0_9, "kafka-consumer-groups --describe"),
    ],
)
def test_the_format_is_found_out(text: str, format_: str) -> None:
    (reading,) = read_text(text)

    assert reading.format.startswith(format_)
    assert reading.group.topics == ("t",)


def test_json_lines_are_read_and_broken_ones_listed() -> None:
    lines = [ONE_LINE, "", '{"topics": {"t": -1}, "members": []}', "{", ONE_LINE]

    readings = read_text("\n".join(lines))

    assert [reading.group.id for reading in readings] == ["g", "g"]
    assert [number for number, _ in readings[0].ignored] == [3, 4]
    assert readings[0].notes[0].startswith("Line 3 could not be read: topics.t: expected an int")


def test_a_note_on_a_broken_line_ends_once() -> None:
    unlisted = '{"topics": {"t": 1}, "members": [], "lags": {"s": [1]}}'

    (reading,) = read_text(f"{ONE_LINE}\n{unlisted}")

    assert reading.notes[0].endswith("Or add it there with its partitions.")


def test_of_several_files_the_one_that_cannot_be_read_is_told_beside_the_others() -> None:
    prose = b"the cat sat on the mat"

    found = read_files({"a.txt": ONE_LINE.encode(), "photo.png": bytes(range(256)), "b.txt": prose})

    assert [reading.group.id for reading in found.readings] == ["g"]
    assert [said.partition(":")[0] for said in found.unread] == ["photo.png", "b.txt"]
    with pytest.raises(SourceError, match=r"^b\.txt: no consumer group"):
        read_files({"b.txt": prose})


def test_files_of_one_group_are_its_snapshots() -> None:
    header = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    files = {
        "10.txt": f"2026-11-23 10:00:00\n{header}g t 0 5 9 4 c-1 /h c\n".encode(),
        "11.txt": f"2026-11-23 10:01:00\n{header}g t 0 5 69 64 c-1 /h c\n".encode(),
        "other.txt": f"{header}h t 0 5 9 4 c-1 /h c\n".encode(),
    }

    one, other = read_files(files).readings

    assert (one.name, other.name) == ("g", "h")
    assert one.history is not None
    assert one.history.span_s == 60
    assert other.history is None


def test_an_error_in_a_group_printed_over_many_lines_names_the_field() -> None:
    text = json.dumps(GROUP | {"topics": {"t": -1}}, indent=2)

    with pytest.raises(SourceError, match=r"topics\.t: expected an int >= 0, found -1"):
        read_text(text)


def test_an_error_in_group_json_that_breaks_off_names_the_line() -> None:
    text = json.dumps(GROUP, indent=1)[:-4]

    with pytest.raises(SourceError, match="not valid JSON"):
        read_text(text)


@pytest.mark.parametrize("text", ["", " \n", "the cat sat on the mat\n", '{"a": 1}', "[]", "{"])
def test_a_text_without_a_group_gives_one_sentence(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_text(text)

    assert "\n" not in str(caught.value)


def test_a_wrong_cell_of_a_csv_is_named() -> None:
    with pytest.raises(SourceError, match="the CSV, line 3, column lag: expected a whole number"):
        read_text("topic,partition,lag\nt,0,5\nt,1,much\n")


lines = st.lists(
    st.sampled_from(
        [*DESCRIBE.splitlines(), ONE_LINE, "topic,partition", "t,0", "{", "}", '"members": [', "["]
    )
    | st.text(max_size=20),
    max_size=8,
).map("\n".join)


@given(lines)
def test_nothing_but_a_source_error_comes_out_of_mixed_text(text: str) -> None:
    try:
        readings = read_text(text)
    except SourceError as error:
        assert not isinstance(error, UnexpectedError)  # noqa: PT017 -- either outcome is right
        return

    assert readings


HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
LIMITS = Limits(
    groups=3, partitions=30, members=5, subscriptions=20, classes=20, characters=200, rows=5
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "g t 30 1 2 1 c /h c\n", "31 partitions"),
        (HEAD + "g t 20 1 2 1 c /h c\nh t 20 1 2 1 c /h c\n", "42 partitions"),
        (HEAD + "".join(f"g{k} t 0 1 2 1 c /h c\n" for k in range(4)), "4 groups"),
        (HEAD + "".join(f"g t {k} 1 2 1 c{k} /h c\n" for k in range(6)), "6 consumers"),
        (
            HEAD + "".join(f"g t{k} 0 1 2 1 c{k} /h c\n" for k in range(5)),
            "25 topics subscribed to",
        ),
        ("GROUP COORDINATOR (ID) STATE #MEMBERS\ng b:9092 (0) Stable 6\n", "6 consumers"),
        ("Topic: t PartitionCount: 31\n", "31 partitions"),
        (json.dumps(GROUP | {"topics": {"t": 31}}), "31 partitions"),
        (f"{ONE_LINE}\n" * 4, "4 groups"),
        ("topic,partition\nt,30\n", "31 partitions"),
        ("topic,partition\n" + "t,0\n" * 6, "the CSV: 6 rows"),
    ],
)
def test_a_text_that_asks_for_too_much_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_text(text, LIMITS)

    assert words in str(caught.value)
    assert "raises the limit" in str(caught.value)


def test_json_lines_are_counted_together() -> None:
    line = json.dumps(GROUP | {"topics": {"t": 20}})

    readings = read_text(f"{line}\n{line}\n", LIMITS)

    assert len(readings) == 1
    assert "Line 2 could not be read: topics (the largest is 't' with 20)" in readings[0].notes[0]


def test_a_line_too_long_for_a_row_is_listed_with_its_length() -> None:
    rows = "g t 0 1 2 1 c /h c\n" + "g t 1 1 2 1 c /h " + "c" * 5000

    (reading,) = read_text(HEAD + rows, LIMITS)

    assert reading.rows == 1
    ((number, text),) = reading.ignored
    assert (number, text[-18:]) == (3, "… (5,017 characters)"[-18:])
    assert reading.notes[0].startswith("Line 3: more than 200 characters are too many for a row")


def test_json_may_be_one_line_of_any_length() -> None:
    rows = [{"topic": "t", "partition": k, "current_lag": k} for k in range(20)]

    (reading,) = read_text(json.dumps({"group": "g", "partitions": rows}), LIMITS)

    assert reading.rows == 20


@pytest.mark.parametrize(
    ("broken", "counted"), [(5, []), (6, ["1 more line"]), (9, ["4 more lines"])]
)
def test_many_lines_that_cannot_be_read_are_counted_not_repeated(
    broken: int, counted: list[str]
) -> None:
    lines = [ONE_LINE, *['{"topics": {"t": -1}, "members": []}'] * broken]
    (reading,) = read_text("\n".join(lines))

    assert len(reading.ignored) == broken
    assert [each for each in reading.notes if " more line" in each] == [
        f"{each} could not be read." for each in counted
    ]
    assert sum("topics.t: " in each for each in reading.notes) == 5


def test_a_line_separator_inside_json_does_not_end_a_line() -> None:
    line = json.dumps(GROUP | {"id": "a\u2028b"}, ensure_ascii=False)

    readings = read_text(f"{line}\n{line}")

    assert [reading.group.id for reading in readings] == ["a\u2028b"] * 2


def test_a_table_of_tabs_that_is_no_csv_is_read_as_a_paste() -> None:
    text = "TOPIC\tPARTITION\tCURRENT-OFFSET\nLOG-END-OFFSET\tLAG\nt\t0\t1\n2\t1\n"

    (reading,) = read_text(text)

    assert (reading.rows, reading.group.lags.tolist()) == (1, [1])


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        '{"topics":' * 100_000,
        '[{"a":' * 100_000,
        '{"topics":{},"members":[],"auto_offset_reset":"x","a":}',
        "topic,partition," + "x" * 200_000 + "\nt,0,1\n",
        'topic,partition\nt,"' + "x" * 200_000,
        '{"a": ' + "9" * 5000 + "}",
        "topic,partition\nt,\x000\n",
    ],
)
def test_what_breaks_decoders_is_a_plain_source_error(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_text(text)

    assert not isinstance(caught.value, UnexpectedError)


@pytest.mark.parametrize(
    "text",
    [
        '{"group": "g", "partitions": [{"topic": "a\\ud800", "partition": 0, "current_lag": 1}]}',
        HEAD + "g a\udfff 0 1 2 1 c /h c\n",
    ],
)
def test_half_a_character_is_replaced(text: str) -> None:
    (reading,) = read_text(text)

    assert reading.group.topics in {("a\ufffd",), ("a?",)}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_file_that_powershell_wrote_is_read(encoding: str) -> None:
    text = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\nzähler t 0 5 9 4\n"

    (reading,) = read_files({"zähler.txt": text.encode(encoding)}).readings

    assert reading.group.id == "zähler"


def test_the_limit_applies_to_a_utf_16_stream_before_it_is_decoded() -> None:
    text = "{}\n".encode("utf-16")
    lines = iter([text, *[b"\n\0"] * 100, b"never read"])

    with pytest.raises(SourceError, match="bytes of text are more than the 50"):
        list(read_stream(lines, Limits(text=50)))

    assert list(lines)[-1] == b"never read"


def test_whole_characters_that_json_escapes_in_halves_are_kept() -> None:
    text = '{"group": "g", "partitions": [{"topic": "\\ud83d\\ude00", "partition": 0, "start": 1}]}'

    (reading,) = read_text(text)

    assert reading.group.topics == ("\U0001f600",)


def test_a_fault_of_a_reader_is_one_sentence_and_is_logged_without_the_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail() -> None:
        len("secret") / len("")

    line = fail.__code__.co_firstlineno + 1
    with (
        pytest.raises(
            UnexpectedError, match=rf"^the file cannot .*\(ZeroDivisionError in fail, line {line}\)"
        ),
        guarded("the file"),
    ):
        fail()

    assert f"ZeroDivisionError in fail, line {line}" in caplog.text
    assert "secret" not in caplog.text


def test_a_line_that_could_be_a_header_but_has_no_rows_is_no_group() -> None:
    with pytest.raises(SourceError, match="paste the table with its header line"):
        read_text("SELECT group_id, topic, partition, lag FROM lags WHERE lag > 5;")
