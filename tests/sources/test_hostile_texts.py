"""What a text holds that a reader could take for something else, or take for ever to read."""

import json
import time
from contextlib import suppress
from dataclasses import replace
from itertools import product

import pytest
import yaml

from assignors.model import UNKNOWN
from sources.budget import LIMITS
from sources.errors import SourceError
from sources.keda_yaml import scaled_object_in
from sources.text import read_text
from sources.what_ifs import decode
from sources.yaml_documents import yaml_documents
from tests.said import lacks

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
ROW = "g t 0 1 2 1 c /h c\n"
BURROW = (
    '{{"error":false,"status":{{"cluster":"l","group":"g","status":"OK","partitions":[{{"topic":"t",'
    '"partition":0,"owner":"/h","client_id":"c","end":{{"offset":1,"timestamp":1,"lag":{0}}},'
    '"current_lag":{0}}}]}}}}'
)
MUCH = 2_000_000


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


TOOLS = {
    "Burrow": (BURROW.format(7), '"current_lag"', '"current_lag":1,"current_lag"'),
    "group JSON of a tool": (
        (
            '{"groupId":"g","members":[{"memberId":"c","assignments":[{"topic":"t","partition":0}]}],'
            '"partitions":[{"topic":"t","partition":0,"lag":7}]}'
        ),
        '"lag"',
        '"lag":1,"lag"',
    ),
    "cut off": (
        '[{"groupId":"g","topic":"t","partition":0,"lag":7,"memberId":"c"},{"groupId":"g","to',
        '"lag"',
        '"lag":1,"lag"',
    ),
    "Prometheus": (
        (
            '{"data":{"result":[{"metric":{"__name__":"kafka_consumergroup_lag","consumergroup":"g",'
            '"topic":"t","partition":"0"},"value":[1,"7"]}]}}'
        ),
        '"value"',
        '"value":[1,"1"],"value"',
    ),
    "Connect": (
        (
            '{"sink":{"status":{"name":"sink","connector":{"state":"RUNNING","worker_id":"w:1"},'
            '"tasks":[{"id":0,"state":"RUNNING","worker_id":"w:1"}],"type":"sink"}}}'
        ),
        '"tasks"',
        '"tasks":[],"tasks"',
    ),
    "kcat": (
        '{"topics":[{"topic":"t","partitions":[{"partition":0,"leader":1}]}]}',
        '"partition"',
        '"partition":3,"partition"',
    ),
    "YAML": (
        "- group: g\n  topic: t\n  partition: 0\n  lag: 7\n  member: c\n",
        "  lag: 7",
        "  lag: 1\n  lag: 7",
    ),
}


@pytest.mark.parametrize(("text", "key", "twice"), TOOLS.values(), ids=TOOLS)
def test_a_key_that_stands_twice_in_what_a_tool_printed_is_told(
    text: str, key: str, twice: str
) -> None:
    plain = read_text(text)
    assert key in text

    repeated = read_text(text.replace(key, twice, 1))

    named = repr(key.strip(' "').partition(":")[0])
    for before, after in zip(plain, repeated, strict=True):
        assert (after.group.topics, after.group.members) == (
            before.group.topics,
            before.group.members,
        )
        assert after.group.lags.tolist() == before.group.lags.tolist()
        assert "twice" not in " ".join(before.notes)
        (note,) = (note for note in after.notes if "twice" in note)
        assert lacks(note, "Line", named, "last") == []


def test_a_key_that_stands_twice_beside_the_output_of_a_tool_is_not_told() -> None:
    log = '{"level":"info","msg":"a","msg":"b"}\n'

    (reading,) = read_text(f"{log}{BURROW.format(7)}")

    assert "twice" not in " ".join(reading.notes)


@pytest.mark.parametrize("key", ["lagThreshold", "triggers"])
def test_a_scaled_object_with_a_key_twice_is_refused_as_kubectl_refuses_it(key: str) -> None:
    plain = (
        "spec:\n  triggers:\n  - type: kafka\n    metadata:\n      consumerGroup: g\n"
        "      topic: t\n      lagThreshold: '50'\n"
    )
    second = {"lagThreshold": "      lagThreshold: '5'\n", "triggers": "  triggers: []\n"}[key]
    scaled_object_in(plain)

    with pytest.raises(SourceError) as refused:
        scaled_object_in(plain + second)

    assert lacks(str(refused.value), "line 8", repr(key)) == []


def test_a_merged_key_that_a_mapping_states_anew_is_no_repetition() -> None:
    text = "a: &a {x: 1, y: 2}\nb: &b {<<: *a, x: 3}\nc: {<<: *b, y: 4}\nd: {<<: *b}\n"

    documents, repeated = yaml_documents(text)

    merged = {"x": 3, "y": 2}
    assert documents == [{"a": {"x": 1, "y": 2}, "b": merged, "c": merged | {"y": 4}, "d": merged}]
    assert repeated == []


def test_scenarios_of_a_link_with_a_key_twice_are_refused() -> None:
    with pytest.raises(SourceError, match="'consumers' stands twice"):
        decode('[{"consumers":10,"consumers":12}]')


def test_a_key_may_stand_in_several_objects_and_in_values() -> None:
    text = '{"id":"id","topics":{"id":2,"a{":1},"members":[{"id":"id"},{"id":"b","topics":["id"]}]}'

    (found,) = read_text(text)

    assert found.group.members == ("b", "id")


def test_names_that_differ_in_what_no_screen_shows_are_named() -> None:
    text = '{"topics":{"t":3,"t\\u200b":1},"members":[{"id":"c\\u200d1"},{"id":"c1"},{"id":"d"}]}'

    (found,) = read_text(text)
    (pasted,) = read_text(f"{HEADER}g t 0 1 2 1 c\u200d1 /h c\ng t 1 1 2 1 c\u20601 /h c\n")

    burrow = BURROW.format(7).replace('"client_id":"c"', '"client_id":"c\u200b1","x":"c1"')
    (compact,) = read_text(burrow)

    assert "'c1'" in " ".join(compact.notes)
    said = " ".join(found.notes)
    assert all(ascii(name) in said for name in ("c1", "c\u200d1", "t", "t\u200b"))
    assert "'d'" not in said
    assert pasted.group.members == ("c1",)
    assert "'c1'" in " ".join(pasted.notes)


@pytest.mark.parametrize(
    "unseen", ["\u034f", "\u115f", "\u3164", "\ufe0f", "\uffa0", "\U000e0041", "\u2063", "\u0007"]
)
def test_names_that_differ_in_what_fonts_leave_out_are_named(unseen: str) -> None:
    name = json.dumps(f"c{unseen}1")
    text = f'{{"topics":{{"t":3}},"members":[{{"id":{name}}},{{"id":"c1"}},{{"id":"d"}}]}}'

    (found,) = read_text(text)

    said = " ".join(found.notes)
    assert ascii(f"c{unseen}1") in said
    assert "'d'" not in said


@pytest.mark.parametrize("unseen", ["\u115f", "\u3164", "\ufe0f", "\U000e0041", "\x9b"])
def test_names_in_a_table_that_differ_in_what_fonts_leave_out_are_named(unseen: str) -> None:
    rows = "".join(f"g t {n} 1 2 1 {each} /h c\n" for n, each in enumerate((f"c{unseen}1", "c1")))

    (found,) = read_text(HEADER + rows)

    assert found.group.member_count == 2
    assert all(ascii(name) in " ".join(found.notes) for name in (f"c{unseen}1", "c1"))


@pytest.mark.parametrize("altered", ["c\x001", "c1\u200b", "c\u202e1", "c\x1b[2J1", "c\uff11"])
def test_names_that_reading_makes_one_are_named(altered: str) -> None:
    rows = "".join(f"g t {n} 1 2 1 {each} /h c\n" for n, each in enumerate((altered, "c1")))

    (found,) = read_text(HEADER + rows)

    assert found.group.members == ("c1",)
    assert "'c1'" in " ".join(found.notes)


def test_a_table_in_colours_has_no_names_made_one() -> None:
    (found,) = read_text(f"{HEADER}{ROW}g t 1 1 2 1 \x1b[31mc\x1b[0m /h c\n")

    assert "are read as one" not in " ".join(found.notes)


@pytest.mark.slow
def test_of_a_broken_line_of_json_it_is_said_what_was_not_read() -> None:
    row = BURROW.format(7)
    broken = "[" + f"{row}," * 9_000 + "}"

    (found,) = read_text(broken)
    (whole,) = read_text(broken[:100_000])

    assert "1,000,000 characters was not read" in " ".join(found.notes)
    assert "not read" not in " ".join(whole.notes)


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

    assert time.process_time() - began_s < 9  # it took 10 to 20 s, and five times that with 10 MB


@pytest.mark.parametrize("mark", ["", "{"])  # what may be JSON is read, though not as a row
def test_a_row_beyond_the_limit_is_named_and_the_others_are_read(mark: str) -> None:
    limits = replace(LIMITS, characters=200)
    long_row = f"g t 1 1 2 1 {mark}{'w' * 300} /h c\n"

    (reading,) = read_text(f"{HEADER}{ROW}{long_row}", limits)

    (note,) = (note for note in reading.notes if "characters" in note)
    assert lacks(note, "Line 3", "200") == []
    assert reading.group.partition_count == 1


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_line_takes_time_by_its_length_whatever_it_repeats() -> None:
    signs = " \t,;|-_.:a0[({='\"{/"
    units = [*signs, *map("".join, product(signs, repeat=2))]
    text = "".join(f"{(unit * 300)[:300]}\n" for unit in units)  # 100 kB

    began_s = time.process_time()
    with suppress(SourceError):
        read_text(text)

    assert time.process_time() - began_s < 2.5


@pytest.mark.parametrize("unit", ["a-0", "a-0a", "abt-0", "-0"])
def test_the_rest_of_a_wrapped_list_is_told_from_prose_at_once(unit: str) -> None:
    """A pattern that could cut it anywhere tried every way to cut it."""
    line = "[Consumer clientId=c, groupId=g] Adding newly assigned partitions: t-1"
    text = f"{line}\n{unit * 20}!\n"

    began_s = time.process_time()
    (found,) = read_text(text)

    assert found.group.topics == ("t",)
    assert time.process_time() - began_s < 0.5


@pytest.mark.parametrize(
    "text",
    ["GROUP TYPE PROTOCOL\n" + ":-" * 5_000, "GROUP STATE\n" + "\n" * 10_000 + "."],
    ids=["a row of signs", "blank lines below"],
)
def test_a_list_of_groups_is_refused_in_proportion_to_what_follows(text: str) -> None:
    began_s = time.process_time()
    with pytest.raises(SourceError, match="list of groups"):
        read_text(text)

    assert time.process_time() - began_s < 0.5


@pytest.mark.slow
def test_yaml_merges_no_more_keys_than_a_file_by_hand_has() -> None:
    keys = ", ".join(f"k{k}: 1" for k in range(900))
    text = f"a: &a {{{keys}}}\nb:\n" + "- <<: *a\n" * 10

    assert yaml_documents(text)[0]
    with pytest.raises(yaml.YAMLError, match="10,000 together"):
        yaml_documents(text + "- <<: *a\n" * 10)


def test_yaml_of_brackets_alone_is_refused_at_the_fiftieth() -> None:
    began_s = time.process_time()
    with pytest.raises(yaml.YAMLError, match="50 brackets"):
        yaml_documents("a: " + "[" * 19_000)

    assert time.process_time() - began_s < 0.5
    assert yaml_documents("a: " + "[" * 40 + "]" * 40)[0]
