"""What a text holds that a reader could take for something else, or take for ever to read."""

import time
from contextlib import suppress
from dataclasses import replace

import pytest

from assignors.model import UNKNOWN
from sources.budget import LIMITS
from sources.errors import SourceError
from sources.text import read_text
from tests.said import lacks

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
ROW = "g t 0 1 2 1 c /h c\n"
BURROW = (
    '{{"error":false,"status":{{"cluster":"l","group":"g","status":"OK","partitions":[{{"topic":"t",'
    '"partition":0,"owner":"/h","client_id":"c","end":{{"offset":1,"timestamp":1,"lag":{0}}},'
    '"current_lag":{0}}}]}}}}'
)
MUCH = 10_000_000


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"topics":{"t":1},"members":[],"topics":{"t":5}}', "topics"),
        ('{"topics":{"t":2,"t":5},"members":[]}', "t"),
        ('{"topics":{"t":2,"\\u0074":5},"members":[]}', "t"),
        ('{"topics":{"t":2},"members":[{"id":"a","id":"b"}]}', "id"),
        ('{"topics":{"t":2},"members":[],"lags":{"t":[1,2],"t":[3,4]}}', "t"),
        ('{"topics":{"t\\"":2,"t\\"":2},"members":[]}', 't"'),
    ],
)
def test_a_key_that_stands_twice_is_refused_by_name(text: str, key: str) -> None:
    with pytest.raises(SourceError) as refused:
        read_text(text)

    assert f"the key {key!r} stands twice" in str(refused.value)


def test_a_key_may_stand_in_several_objects_and_in_values() -> None:
    text = '{"id":"id","topics":{"id":2,"a{":1},"members":[{"id":"id"},{"id":"b","topics":["id"]}]}'

    (found,) = read_text(text)

    assert found.group.members == ("b", "id")


def test_names_that_differ_in_what_no_screen_shows_are_named() -> None:
    text = '{"topics":{"t":3,"t\\u200b":1},"members":[{"id":"c\\u200d1"},{"id":"c1"},{"id":"d"}]}'

    (found,) = read_text(text)
    (pasted,) = read_text(f"{HEADER}g t 0 1 2 1 c\u200d1 /h c\ng t 1 1 2 1 c\u20601 /h c\n")

    said = " ".join(found.notes)
    assert all(ascii(name) in said for name in ("c1", "c\u200d1", "t", "t\u200b"))
    assert "'d'" not in said
    assert pasted.group.members == ("c1",)
    assert "'c1'" in " ".join(pasted.notes)


@pytest.mark.parametrize("digits", [20, 25, 400, 4_000, 5_000])
def test_a_number_beyond_any_offset_is_unknown_and_never_its_first_digits(digits: int) -> None:
    (found,) = read_text(BURROW.format("1" + "0" * digits))

    assert found.group.lags.tolist() == [UNKNOWN]


@pytest.mark.parametrize(
    "line",
    [
        "g t 0 1 2 1 " + "w " * (MUCH // 2),
        "x" * MUCH,
        "a:b=1," * (MUCH // 6),
        "{ " + "a=b, " * (MUCH // 5),
        "[ " + "a, " * (MUCH // 3),
        '{"a":[' + "1," * (MUCH // 2) + "}",
        "topic,partition," * (MUCH // 16),
    ],
    ids=["words", "one word", "pairs", "printed", "list", "broken JSON", "a header of CSV"],
)
@pytest.mark.slow
def test_a_line_beyond_the_limit_is_given_up_in_seconds(line: str) -> None:
    began_s = time.process_time()

    for text in (f"{HEADER}{ROW}{line}", line):
        with suppress(SourceError):
            read_text(text)

    assert time.process_time() - began_s < 20  # it took 50 to 100 s


@pytest.mark.parametrize("mark", ["", "{"])  # what may be JSON is read, though not as a row
def test_a_row_beyond_the_limit_is_named_and_the_others_are_read(mark: str) -> None:
    limits = replace(LIMITS, characters=200)
    long_row = f"g t 1 1 2 1 {mark}{'w' * 300} /h c\n"

    (reading,) = read_text(f"{HEADER}{ROW}{long_row}", limits)

    (note,) = (note for note in reading.notes if "characters" in note)
    assert lacks(note, "Line 3", "200") == []
    assert reading.group.partition_count == 1


def test_a_line_of_a_million_words_is_no_log_that_is_read_a_thousand_times_over() -> None:
    began_s = time.process_time()

    with pytest.raises(SourceError):
        read_text("w " * 100_000)

    assert time.process_time() - began_s < 1


@pytest.mark.parametrize(
    "text",
    [
        '{{"topics":{{"{0}":1}},"members":[]}}',
        '{{"topics":{{"t":1}},"members":[{{"id":"{0}"}}]}}',
        '{{"topics":{{"t":1}},"members":[{{"id":"a","rack":"{0}"}}]}}',
        '{{"topics":{{"t":1}},"members":[{{"id":"a","topics":["{0}"]}}]}}',
        '{{"id":"{0}","topics":{{"t":1}},"members":[]}}',
        HEADER + "g t 0 1 2 1 {0} /h c\n",
        HEADER + "g {0} 0 1 2 1 c /h c\n",
    ],
)
def test_a_name_is_as_long_as_kafka_s_protocol_allows(text: str) -> None:
    read_text(text.format("x" * 32_767))

    with pytest.raises(SourceError, match="32,768 characters in one name"):
        read_text(text.format("x" * 32_768))
