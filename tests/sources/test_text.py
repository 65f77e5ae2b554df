import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.errors import SourceError
from sources.text import read_text

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


def test_a_wrong_group_printed_over_many_lines_is_told_what_is_wrong() -> None:
    text = json.dumps(GROUP | {"topics": {"t": -1}}, indent=2)

    with pytest.raises(SourceError, match=r"topics\.t: expected an int >= 0, found -1"):
        read_text(text)


def test_group_json_that_breaks_off_is_told_where() -> None:
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
    except SourceError:
        return

    assert readings
