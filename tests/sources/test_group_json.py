import json
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assignors.model import Group
from assignors.naming import member_records, topic_records
from sources.budget import LIMITS
from sources.errors import SourceError
from sources.group_json import decode, encode
from tests.said import lacks

WHOLE = {
    "id": "orders-eu",
    "strategy": "sticky",
    "topics": {
        "orders": {
            "partitions": 3,
            "racks": [["a", "b"], ["b"], ["c"]],
            "topic_id": "aB3dE5fG7hJ9kL1mN3pQ5r",
        },
        "idle": 0,
    },
    "members": [
        {
            "id": "C0",
            "instance_id": "i0",
            "rack": "a",
            "topics": ["orders"],
            "owned": [["orders", 0]],
            "generation": 4,
        },
        {"id": "C1", "throughput": 250.5},
    ],
    "lags": {"orders": [10, None, -5]},
    "offsets": {"orders": {"begin": [0, 0, 0], "end": [10, 7, 9], "committed": [0, 7, None]}},
    "auto_offset_reset": "earliest",
    "subscription_type": "Heterogeneous",
    "rates": {"orders": [1.5, None, 0.0]},
}

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["t", "partitions", "racks", "begin", "id"]), inner)
    ),
    max_leaves=6,
)


def _with(path: tuple[str | int, ...], value: object) -> str:
    """Return the whole example with one value replaced."""
    document = json.loads(json.dumps(WHOLE))
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(document)


def test_a_group_survives_being_written_and_read() -> None:
    first = decode(json.dumps(WHOLE))

    second = decode(encode(first))

    assert second.strategy == "sticky"
    assert second.group.layout.topic_ids == (None, "aB3dE5fG7hJ9kL1mN3pQ5r")
    assert topic_records(second.group) == topic_records(first.group)
    assert member_records(second.group) == member_records(first.group)
    assert encode(second) == encode(first)


def test_a_topic_can_be_its_partition_count_alone() -> None:
    group = decode('{"topics": {"t": 2}, "members": []}').group

    assert group.partition_count == 2


def test_keys_it_does_not_know_are_passed_over() -> None:
    group = decode('{"topics": {"t": 2}, "members": [], "expected": {"c": 1}}').group

    assert group.topics == ("t",)


def test_lags_follow_from_offsets_where_they_are_not_listed() -> None:
    text = _with(("lags",), {})

    group = decode(text).group

    assert topic_records(group)["orders"].lags == [10, 0, 9]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("topics", "orders", "partitions"),
            -1,
            "topics.orders.partitions: expected an int >= 0, found -1",
        ),
        (("topics", "idle"), True, "topics.idle: expected an int or an object, found true"),
        (
            ("topics", "orders", "racks", 1, 0),
            7,
            "topics.orders.racks[1][0]: expected a string or null, found 7",
        ),
        (("lags", "orders", 2), 1.5, "lags.orders[2]: expected an int or null, found 1.5"),
        (
            ("lags", "orders", 2),
            2**63,
            "lags.orders[2]: expected an int <= 9223372036854775807, found 9223372036854775808",
        ),
        (
            ("members", 0, "throughput"),
            1e308,
            "members[0].throughput: expected a number <= 1000000000000000.0, found 1e308",
        ),
        (("offsets", "orders", "end"), 5, "offsets.orders.end: expected a list or null, found 5"),
        (("members", 1, "id"), 5, "members[1].id: expected a string, found 5"),
        (("members", 1), {}, "members[1].id: this field is required; found nothing"),
        (
            ("members", 0, "owned", 0),
            ["orders"],
            'members[0].owned[0]: expected a list of length 2, found ["orders"]',
        ),
        (
            ("members", 0, "generation"),
            10**30,
            f"members[0].generation: expected an int <= 2147483647, found {10**30}",
        ),
        (
            ("auto_offset_reset",),
            "lastest",
            "auto_offset_reset: found 'lastest'; did you mean 'latest'?",
        ),
        (
            ("topics", "idle"),
            LIMITS.partitions,
            "topics (the largest is 'idle' with 1,000,000): 1,000,003 partitions are more",
        ),
        (("lags",), {"oders": [1]}, "lags.oders: topics has no 'oders'; did you mean 'orders'?"),
        (("lags", "orders"), [1, 2], "topic 'orders' lists 2 lags for 3 partitions"),
        (("members", 1, "id"), "C0", "member 'C0' is repeated"),
    ],
)
def test_an_error_names_the_place_and_what_was_found(
    path: tuple[str | int, ...], value: object, message: str
) -> None:
    text = _with(path, value)

    with pytest.raises(SourceError) as caught:
        decode(text)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"topics": {"t": 1}}', "members: this field is required; found only topics"),
        ('{"topics":\n {"t": NaN}}', "invalid character at line 2, column 8, 'NaN}}'"),
        ('{"topics": {"t": 1}, ', "the text ends, in line 1, before the JSON does"),
        ('{"topics": {"t": 1e999}, "members": []}', "topics: number out of range"),
        ("[]", "the text: expected an object, found []"),
        ('{"topics": 3, "members": ', "topics: expected an object"),
        ('{"topics":' * 5000, "nested too deeply"),
        (b'{"topics": {"\xff": 1}, "members": []}', "not UTF-8 text at line 1"),
        (b'{"topics": -1, "members": [], "x": "\xff"}', "not UTF-8"),
        ('{"topics":{},"members":[{"id":1}],"members":[]}', "members[0].id: expected a string"),
    ],
)
def test_text_that_is_not_a_group_is_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        decode(text)

    assert message in str(caught.value)


def test_racks_beyond_what_memory_holds_are_refused() -> None:
    members = [{"id": f"c{m}", "rack": f"r{m}"} for m in range(2000)]

    with pytest.raises(SourceError, match="pairs of rack and partition are more than"):
        decode(json.dumps({"topics": {"t": 1_000_000}, "members": members}))


@given(st.sampled_from([(key,) for key in WHOLE]), anything)
@example(("topics",), {"t": float("nan")})
def test_nothing_but_a_source_error_comes_out_of_a_wrong_field(
    path: tuple[str | int, ...], value: object
) -> None:
    text = _with(path, value)

    with suppress(SourceError):
        decode(text)


@given(
    st.sampled_from(
        [
            ("topics", "orders"),
            ("topics", "orders", "racks"),
            ("members", 0),
            ("members", 0, "owned"),
            ("members", 0, "rack"),
            ("members", 1, "throughput"),
            ("lags", "orders"),
            ("offsets", "orders"),
            ("offsets", "orders", "committed"),
            ("rates", "orders"),
        ]
    ),
    anything,
)
def test_nothing_but_a_source_error_comes_out_of_a_wrong_value_further_in(
    path: tuple[str | int, ...], value: object
) -> None:
    text = _with(path, value)

    with suppress(SourceError):
        decode(text)


@given(st.binary() | st.text(st.characters()).map(str))
def test_nothing_but_a_source_error_comes_out_of_noise(text: str | bytes) -> None:
    with pytest.raises(SourceError):
        decode(text)


def test_fields_without_a_value_are_left_out_of_a_file_but_for_the_usual_ones() -> None:
    written = json.loads(encode(Group.fresh({"t": 1}, members=["c"])))

    assert list(written) == ["id", "topics", "members", "lags", "auto_offset_reset"]
    assert written["topics"] == {"t": {"partitions": 1}}
    (member,) = written["members"]
    assert list(member) == ["id", "topics", "instance_id", "rack", "owned", "generation"]


def test_a_reading_says_what_was_assumed() -> None:
    text = _with(("lags", "orders"), [10, None, -5])

    reading = decode(text)

    assert reading.format == "group JSON"
    assert reading.rows == 3
    assert reading.strategy == "sticky"
    assert reading.notes == (
        "The lag of 1 of 3 partitions is unknown.",
        "Negative lag counts as 0: orders-2.",
    )


def test_a_reading_says_what_lag_follows_where_nothing_is_committed() -> None:
    text = _with(("lags",), {})

    reading = decode(text)

    (note,) = reading.notes
    assert note == (
        "Nothing is committed on orders-2; as auto.offset.reset is earliest, the lag there is "
        "all that the log holds."
    )


def test_a_reading_names_topics_without_partitions() -> None:
    text = '{"topics": {"t": 1}, "members": [{"id": "c", "topics": ["t", "gone"]}]}'

    reading = decode(text)

    lag, topics = reading.notes
    assert lag == "No lag is known."
    assert lacks(topics, "no partitions", "gone") == []


def test_a_whole_number_may_have_a_point_or_an_exponent() -> None:
    text = """{"topics": {"t": {"partitions": 2e0}, "1e3": 1.0},
        "members": [{"id": "a", "generation": 4.0, "owned": [["t", 1.0]]}],
        "lags": {"t": [1e3, 1.5E+1], "1e3": [9007199254740993.0]}, "rates": {"t": [0.5, 1e2]}}"""

    group = decode(text).group

    assert group.topics == ("1e3", "t")
    assert group.lags.tolist() == [9_007_199_254_740_993, 1_000, 15]
    assert group.claims.generations.tolist() == [4]
    assert group.offsets.rates is not None
    assert group.offsets.rates.tolist()[1:] == [0.5, 100.0]


@pytest.mark.parametrize("number", ["0.5", "1e-3", "1e400", "1e999999999999", "1e19"])
def test_a_number_that_is_no_integer_is_refused_where_one_is_needed(number: str) -> None:
    with pytest.raises(SourceError, match=r"lags\.t\[0\]: expected an int|number out of range"):
        decode(f'{{"topics": {{"t": 1}}, "members": [], "lags": {{"t": [{number}]}}}}')
