import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.naming import member_records, topic_records
from evaluation.assuming.assumed import SubscriptionSource
from sources.budget import Limits
from sources.csv.reader import read_tables
from sources.errors import SourceError, UnexpectedError

FLAT = b"""topic,partition,lag,consumer,rack
orders,0,10,c0,a
orders,2,7,c1,b
payments,0,-,c0,a
,,,c2,
"""
TOPICS = b"topic,partitions\norders,3\naudit,2\n"
CONSUMERS = b"consumer,static_id,rack\nc1,i1,b\nc0,,a\n"
SUBSCRIPTIONS = b"consumer,topic\nc0,*\nc1,orders\nc1,orders\nc9,\n"
LAGS = b"topic,partition,lag\norders,0,5\norders,1,\n"


def _zip(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"group/{name}.csv", data)
    return buffer.getvalue()


def test_a_flat_table_gives_partitions_owners_and_idle_consumers() -> None:
    reading = read_tables({"group.csv": FLAT})

    members = {member.id: member for member in member_records(reading.group)}
    topics = topic_records(reading.group)
    assert topics["orders"].lags == [10, None, 7]
    assert topics["payments"].lags == [None]
    assert members["c0"].owned == [("orders", 0), ("payments", 0)]
    assert members["c0"].topics == ["orders", "payments"]
    assert members["c1"].topics == ["orders", "payments"]
    assert members["c2"].topics == ["orders", "payments"]
    assert (members["c0"].rack, members["c2"].rack) == ("a", None)
    assert (reading.rows, members["c2"].owned) == (3, [])


def test_a_flat_table_can_have_offsets_from_which_lag_follows() -> None:
    text = b"Topic;Partition;Current-Offset;Log End Offset;log_start_offset\nt;0;4;9;0\nt;1;-;9;2\n"

    reading = read_tables({"offsets.csv": text})

    topic = topic_records(reading.group)["t"]
    assert (topic.begin, topic.end, topic.committed) == ([0, 2], [9, 9], [4, None])
    assert topic.lags == [5, 0]
    assert any("Nothing is committed on t-1" in note for note in reading.notes)


@pytest.mark.parametrize("separator", [b",", b";", b"\t"])
def test_the_separator_is_found_out(separator: bytes) -> None:
    reading = read_tables({"group.csv": FLAT.replace(b",", separator)})

    assert reading.group.members == ("c0", "c1", "c2")


def test_several_tables_describe_one_group() -> None:
    files = {"t": TOPICS, "c": CONSUMERS, "s": SUBSCRIPTIONS, "l": LAGS}

    reading = read_tables(files)

    members = {member.id: member for member in member_records(reading.group)}
    topics = topic_records(reading.group)
    assert (topics["orders"].partitions, topics["audit"].partitions) == (3, 2)
    assert topics["orders"].lags == [5, None, None]
    assert list(members) == ["c1", "c0", "c9"]
    assert (members["c1"].instance_id, members["c1"].rack) == ("i1", "b")
    assert members["c0"].topics == ["audit", "orders"]
    assert members["c1"].topics == ["orders"]
    assert members["c9"].topics == []


def test_a_zip_file_counts_as_the_files_in_it() -> None:
    files = _zip(topics=TOPICS, consumers=CONSUMERS, subscriptions=SUBSCRIPTIONS, lags=LAGS)

    reading = read_tables({"group.zip": files})

    assert reading.group.members == ("c0", "c1", "c9")


def test_without_subscriptions_all_members_subscribe_to_everything() -> None:
    reading = read_tables({"t.csv": TOPICS, "c.csv": CONSUMERS})

    assert reading.group.is_wanted.all()
    assert reading.assumed.subscriptions is SubscriptionSource.ALL_READ_ALL
    assert reading.assumed.owners_unknown
    assert not reading.assumed.members_unknown


def test_replica_racks_are_in_one_cell() -> None:
    text = b"topic,partition,replica racks,member,rack\nt,0,a|b,c0,a\nt,1,,c0,a\n"

    reading = read_tables({"group.csv": text})

    assert topic_records(reading.group)["t"].racks == [["a", "b"], []]


def test_a_partition_without_a_row_has_no_replica_racks() -> None:
    text = b"topic,partition,replica racks\nt,2,a|b\n"

    reading = read_tables({"group.csv": text})

    assert topic_records(reading.group)["t"].racks == [[], [], ["a", "b"]]


def test_the_consumer_id_counts_rather_than_the_client_id() -> None:
    text = b"topic,partition,client-id,host,consumer-id\nt,0,app,/10.0.0.1,app-1-uuid\n"

    reading = read_tables({"group.csv": text})

    assert reading.group.members == ("app-1-uuid",)
    assert "Columns of group.csv that were not used: client-id, host." in reading.notes


def test_numbers_written_as_decimals_are_read() -> None:
    reading = read_tables({"group.csv": b"topic,partition,lag\nt,0,12.0\n"})

    assert topic_records(reading.group)["t"].lags == [12]


def test_excel_text_in_utf_16_is_read() -> None:
    text = "topic\tpartition\tlag\r\ntémoin\t0\t3\r\n".encode("utf-16")

    reading = read_tables({"group.txt": text})

    assert reading.group.topics == ("témoin",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            b"topic,partition,lag\nt,0,5\n\nt,1,lots\n",
            "f.csv, line 4, column lag: expected a whole number, found 'lots'",
        ),
        (
            b"topic,partition,lag\nt,-1,5\n",
            "f.csv, line 2, column partition: expected 0 or more, found '-1'",
        ),
        (
            b"topic,partition\nt,0\nt,0\n",
            "f.csv, line 3, column partition: expected each partition of t once, found '0'",
        ),
        (b"topic,partition\nt,\n", "f.csv, line 2, column partition: expected topic and partition"),
        (b"topic,partition\n-,-\n", "f.csv, line 2, column topic: expected topic and partition"),
        (b"topic,partition,lag\nt,0,1,2\n", "f.csv, line 2: 4 cells under 3 column names"),
        (b"topic,partitions\nt,1\nt,2\n", "f.csv, line 3, column topic: expected each topic once"),
        (b"topic,partitions\nt,\n", "f.csv, line 2, column partitions: expected a value"),
        (b"topik,wat\na,b\n", "no known column among topik, wat; did you mean 'topic'?"),
        (b"topic,partition,topic\nt,0,t\n", "f.csv, line 1: column topic appears twice"),
        (b"topic,partition,rack\nt,0,a\n", "line 2, column consumer"),
        (
            b"topic,partition,consumer,rack\nt,0,c,a\nt,1,c,b\n",
            "f.csv, line 3, column rack: expected 'a', as before for c, found 'b'",
        ),
        (b"group,topic,partition\ng,t,0\nh,t,1\n", "line 3, column group: expected one group"),
        (b"consumer,rack\nc,a\n", "no table lists partitions"),
        (b"lag,end\n1,2\n", "a table needs more columns than end, lag"),
        (b"topic,partition\nt,99999999\n", "100,000,000 partitions are more than"),
        (b" \n", "f.csv: the file is empty"),
        (b"PK\x03\x04nonsense", "f.csv: this zip file cannot be unpacked"),
    ],
)
def test_what_is_wrong_is_named_by_file_line_and_column(text: bytes, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_tables({"f.csv": text})

    assert message in str(caught.value)


def test_two_tables_of_one_kind_are_refused() -> None:
    with pytest.raises(SourceError, match=r"a.csv and b.csv both hold topics"):
        read_tables({"a.csv": TOPICS, "b.csv": TOPICS})


cells = st.sampled_from(
    ["t", "0", "1", "-1", "", "-", "topic", "partition", "9" * 30, "é", '"', "*"]
)
rows = st.lists(st.lists(cells, max_size=5).map(",".join), max_size=5).map("\n".join)


@given(
    st.sampled_from(
        ["topic,partition,lag,consumer\n", "topic,partitions\n", "topic,partition,consumer,rack\n"]
    ),
    rows | st.text(),
)
def test_nothing_but_a_source_error_comes_out_of_wrong_rows(header: str, text: str) -> None:
    files = {"f.csv": (header + text).encode("utf-8", "replace")}

    try:
        read_tables(files)
    except SourceError as error:
        assert not isinstance(error, UnexpectedError)  # noqa: PT017 -- either outcome is right


@given(st.binary())
def test_nothing_but_a_source_error_comes_out_of_bytes(data: bytes) -> None:
    with pytest.raises(SourceError) as caught:
        read_tables({"f.csv": data})

    assert not isinstance(caught.value, UnexpectedError)


def test_a_zip_that_unpacks_to_too_much_is_refused_before_it_is_unpacked() -> None:
    files = {"g.zip": _zip(topics=TOPICS)}

    with pytest.raises(SourceError, match=r"^g\.zip: 34 unpacked bytes are more than the 33 "):
        read_tables(files, Limits(bytes=33))


@given(st.integers(0, 400), st.integers(0, 255))
def test_a_damaged_zip_is_a_source_error_or_read(place: int, byte: int) -> None:
    data = bytearray(_zip(topics=TOPICS, lags=LAGS))
    data[4 + place % (len(data) - 4)] = byte

    try:
        read_tables({"g.zip": bytes(data)})
    except SourceError as error:
        assert not isinstance(error, UnexpectedError)  # noqa: PT017 -- either outcome is right


def test_a_zip_without_tables_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("readme.md", "hello")

    with pytest.raises(SourceError, match=r"^g\.zip: this zip file holds no \.csv, \.tsv or \.txt"):
        read_tables({"g.zip": buffer.getvalue()})


def test_consumers_that_subscribe_to_everything_share_one_list() -> None:
    topics = "topic,partitions\n" + "".join(f"t{k},1\n" for k in range(100))
    consumers = "consumer,topic\n" + "".join(f"c{k},*\n" for k in range(100))
    files = {"t.csv": topics.encode(), "s.csv": consumers.encode()}

    assert read_tables(files).group.is_wanted.all()
    with pytest.raises(SourceError, match=r"subscribed to are more than the 9,999"):
        read_tables(files, Limits(subscriptions=9_999))


@pytest.mark.parametrize("rows", ["t\t\t0\t7\tc0\n", "t\t0\t\t\t7\tc0\n", "t\t0\t7\tc0\n"])
@pytest.mark.parametrize(
    "names", ["topic\tpartition\tlag\tconsumer", "topic\t\tpartition\tlag\tconsumer"]
)
def test_columns_may_be_several_tabs_apart(names: str, rows: str) -> None:
    reading = read_tables({"g.tsv": f"{names}\n{rows}".encode()})

    assert (reading.group.lags.tolist(), reading.group.members) == ([7], ("c0",))


def test_a_blank_cell_between_single_tabs_is_unknown() -> None:
    reading = read_tables({"g.tsv": b"topic\tpartition\tlag\tconsumer\nt\t0\t\tc0\n"})

    assert not reading.group.is_lag_known.any()
    assert reading.group.members == ("c0",)


def test_line_breaks_of_old_macs_are_line_breaks() -> None:
    assert read_tables({"g.csv": b"topic,partition\rt,0\rt,1\r"}).rows == 2
