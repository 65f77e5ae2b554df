"""Tables of web pages and other command-line tools, with their own names, headings and numbers."""

import json

import pytest

from assignors.naming import topic_records
from sources.errors import SourceError
from sources.text import read_text
from tests.pasted import lags, owned, the_group
from tests.said import lacks

KAFBAT = """\
Topic\tConsumer Lag
crates\t4
Partition\tConsumer ID\tHost\tConsumer Lag\tCurrent Offset\tEnd offset
0\tvan-0\t/10.3.0.1\t4\t16\t20
1\tvan-1\t/10.3.0.2\t0\t9\t9
"""
CMAK = """\
Consumer Group: depot
crates
Partition\tLogSize\tConsumer Offset\tLag\tConsumer Instance Owner
0\t20\t16\t4\tvan-0
1\t9\t9\t0\tvan-1
"""
CONSOLE = """\
Topic: crates
Partition\tAssigned Member\tHost\tLog End Offset\tGroup Offset\tLag
0\tvan-0\t10.3.0.1\t20\t16\t4
1\tvan-1\t10.3.0.2\t9\t9\t0
"""
EXPLORER = """\
Topic\tPartition\tStart\tEnd\tOffset\tLag\tConsumer\tLast Commit
crates\t0\t0\t20\t16\t4\tvan-0\t2026-03-01 10:00:00
crates\t1\t0\t9\t9\t0\tvan-1\t2026-03-01 10:00:00
"""
AKHQ = """\
Name\tPartition\tMember\tOffset\tEnd Offset\tLag
crates\t0\tvan-0\t16\t20\t4
crates\t1\tvan-1\t9\t9\t0
"""
KSQL = """\
Consumer Group       : depot
Kafka topic          : crates
Max lag              : 4

 Partition | Start Offset | End Offset | Offset | Lag | Owner
--------------------------------------------------------------
 0         | 0            | 20         | 16     | 4   | van-0
 1         | 0            | 9          | 9      | 0   | van-1
"""
HTML = """\
<table class="lag"><thead><tr><th>Topic</th><th>Partition</th><th>Current Offset</th>
<th>Log End Offset</th><th>Lag</th><th>Consumer</th></tr></thead><tbody>
<tr>
  <td>crates</td>
  <td>0</td>
  <td>16</td>
  <td>20</td>
  <td>4</td>
  <td>van-0</td>
</tr>
<tr><td>crates</td><td>1</td><td>9</td><td>9</td><td>0</td><td>van-1</td></tr></tbody></table>
"""
CONTAINER = "\n".join(
    f'{{"log":"{row}\\n","stream":"stdout","time":"2026-03-01T10:00:00Z"}}'
    for row in (
        "TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST       CLIENT-ID",
        "crates  0          16              20              4    van-0        /10.3.0.1  van",
        "crates  1          9               9               0    van-1        /10.3.0.2  van",
    )
)


@pytest.mark.parametrize("text", [KAFBAT, CMAK, CONSOLE, EXPLORER, AKHQ, KSQL, HTML, CONTAINER])
def test_a_table_is_read_by_the_names_of_its_columns(text: str) -> None:
    reading = the_group(text)

    assert lags(reading) == {"crates": [4, 0]}
    assert owned(reading) == {"van-0": ["crates-0"], "van-1": ["crates-1"]}
    assert topic_records(reading.group)["crates"].committed == [16, 9]
    assert topic_records(reading.group)["crates"].end == [20, 9]


def test_a_heading_taken_for_the_topic_is_noted() -> None:
    (note,) = the_group(CMAK).notes
    assert lacks(note, "Line 2", "'crates'", "the topic") == []


def test_a_heading_that_names_no_topic_is_none() -> None:
    with pytest.raises(SourceError, match="line 3: the table does not name its topic"):
        read_text(CMAK.replace("crates", "Partitions"))


def test_offset_and_lag_side_by_side_are_two_columns_and_hyphenated_one() -> None:
    two = the_group("Group  Topic  Partition  Offset  Lag\ndepot  crates  0  16  4\n")
    one = the_group("GROUP  TOPIC  PARTITION  OFFSET-LAG\ndepot  crates  0  4\n")

    assert lags(two) == lags(one) == {"crates": [4]}
    assert topic_records(two.group)["crates"].committed == [16]


@pytest.mark.parametrize(
    "number", ["1,234,567", "1.234.567", "1.234", "1'234'567", "1 234 567", "12,34,567"]
)
def test_thousands_may_be_set_apart_as_in_any_country(number: str) -> None:
    text = f"| TOPIC | PARTITION | CURRENT-OFFSET | LAG |\n| crates | 0 | {number} | 5 |\n"

    assert topic_records(the_group(text).group)["crates"].committed == [
        int("".join(filter(str.isdigit, number)))
    ]


def test_a_number_that_may_mean_either_of_two_is_not_read() -> None:
    text = "TOPIC PARTITION CURRENT-OFFSET LAG\ncrates 0 1.000 4\ncrates 1 5.0 2\n"

    reading = the_group(text)

    assert lags(reading) == {"crates": [None, 2]}
    assert "Line 2 looks like a row but could not be read." in reading.notes


def test_members_that_share_partitions_are_noted() -> None:
    reading = the_group(
        "GROUP  CONSUMER-ID  HOST  CLIENT-ID  #PARTITIONS  ASSIGNMENT\n"
        "depot  van-0  /10.3.0.1  van  2  crates:0,1\n"
        "depot  van-1  /10.3.0.2  van  2  crates:0,1\n"
    )

    assert owned(reading) == {"van-0": ["crates-0", "crates-1"], "van-1": []}
    (note,) = reading.notes
    assert lacks(note, "Line 3", "the same partitions", "share group") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Error: Consumer group 'depot' does not exist.", "does not exist on that cluster"),
        ("Consumer group 'depot' has no active members.", "no table follows"),
        ("GROUP  STATE\ndepot  Stable", "a list of groups, without partitions"),
        ("GROUP  MEMBER  PROCESS  CLIENT-ID  ASSIGNMENTS\n", "a streams group"),
        ("GROUP  TOPIC  PARTITION  NEW-OFFSET\ndepot  crates  0  4", "offsets to reset to"),
        ("INFO [GroupCoordinator 1]: Stabilized group depot generation 5", "a broker's log"),
        ("{crates-0=OffsetAndMetadata{offset=4, metadata=''}}", "committed offsets alone"),
        ("%7|1.2|ASSIGN|rdkafka#consumer-1| [thrd:main]: crates [0]", "does not name the con"),
        ("[sarama] 2026/03/01 consumergroup/session/a/5 heartbeat", "not who owns"),
        ("crates:0:20\ncrates:1:9", "these are offsets of topics"),
        ("Caused by: org.apache.TimeoutException: no node", "--bootstrap-server"),
        ("PARTITION\nLAG\ncrates\n0\n", "one row per line"),
        ("java.lang.OutOfMemoryError: Java heap space", "the tool failed"),
        ("Connection to node -1 failed authentication due to: no", "--command-config"),
        ("#mbean = kafka.consumer:client-id=a,partition=0,topic=crates:", "consumers' MBeans"),
        ('{"MetricDataResults": []}', "CloudWatch does not state"),
        ('{"name": "kafka.lag", "availableTags": []}', "paste /actuator/prometheus"),
        (
            "TOPIC PARTITION CURRENT-OFFSET LAG CONSUMER-ID HOST CLIENT-ID crates 0 16 4 a /b c",
            "header and rows are on one line",
        ),
    ],
)
def test_a_text_without_a_group_is_refused_with_the_line_and_reason(line: str, reason: str) -> None:
    with pytest.raises(SourceError, match=f"line 2: .*{reason}"):
        read_text(f"$ describe\n{line}\n")


ROWS = (
    "TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST       CLIENT-ID",
    "crates  0          16              20              4    van-0        /10.3.0.1  van",
)


def test_the_time_above_the_next_snapshot_is_no_row() -> None:
    stamped = "\n".join(["Sun Mar  1 10:0{}:00 UTC 2026", *ROWS])

    reading = the_group(f"{stamped.format(0)}\n{stamped.format(1)}")

    assert reading.notes == (
        "2 snapshots of the group, with their times; the newest is on screen.",
    )


def test_ticks_around_each_line_are_no_part_of_it() -> None:
    reading = the_group("\n".join(f"`depot {row}`" for row in ROWS[1:]))

    assert (reading.group.id, owned(reading)) == ("depot", {"van-0": ["crates-0"]})


@pytest.mark.parametrize("name", ["Value", "Value #A"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_grafana_calls_a_lag_a_value(name: str, quote: str) -> None:
    rows = [["Time", "consumergroup", "topic", "partition", name]]
    rows += [
        ["2026-03-01 10:00:00", "depot", "crates", str(k), str(lag)] for k, lag in ((0, 4), (1, 0))
    ]
    text = "\n".join(",".join(f"{quote}{cell}{quote}" for cell in row) for row in rows)

    assert (the_group(text).group.id, lags(the_group(text))) == ("depot", {"crates": [4, 0]})


def test_a_record_with_an_offset_and_a_value_is_no_partition() -> None:
    with pytest.raises(SourceError, match="this JSON holds no group"):
        read_text('{"topic": "crates", "partition": 0, "offset": 16, "value": "4"}')


def test_a_partition_may_follow_its_topic_in_brackets() -> None:
    text = "Topic [Partition]    Committed   Lag\n====\ncrates [0]   16    4\ncrates [1]    9   0\n"

    assert lags(the_group(text)) == {"crates": [4, 0]}


def test_a_table_in_one_text_of_json_has_its_line_breaks_escaped() -> None:
    output = "\n".join(f"depot {row}" if k else f"GROUP {row}" for k, row in enumerate(ROWS))

    reading = the_group(f"k1 | SUCCESS => {json.dumps({'rc': 0, 'stdout': output, 'rest': '1'})}")

    assert (reading.group.id, owned(reading)) == ("depot", {"van-0": ["crates-0"]})


CELLS = "Topic Partition Lag Consumer-ID crates 0 4 van-0 crates 1 0 van-1".replace(" ", "\n")


def test_cells_on_lines_of_their_own_are_refused_with_the_way_out() -> None:
    with pytest.raises(SourceError, match="paste one row per line"):
        read_text(CELLS)


@pytest.mark.parametrize(
    "above",
    [
        "crates\nTotal Lag\t4\n% of Partitions assigned\t100\nTopic Partitions\n",
        "Topic\tMessages behind\ncrates\n4\n",
        "crates\nLag: 4\nAssigned partitions: 2\n",
        "Topic: crates, Lag: 4\n",
    ],
    ids=["CMAK", "kafbat", "Redpanda", "one line"],
)
def test_a_page_may_state_figures_between_a_topic_and_its_table(above: str) -> None:
    table = "Partition\tConsumer Offset\tEnd Offset\tLag\n0\t16\t20\t4\n1\t9\t9\t0\n"

    assert lags(the_group(above + table)) == {"crates": [4, 0]}


@pytest.mark.parametrize("sign", ["\t", " | "])
def test_a_merged_cell_of_a_spreadsheet_holds_for_the_rows_below_it(sign: str) -> None:
    rows = [
        "Group,Topic,Partition,Current Offset,End Offset,Lag,Consumer",
        "depot,crates,0,16,20,4,van-0",
        ",,1,9,9,0,van-1",
        ",pallets,0,5,6,1,van-0",
    ]

    reading = the_group("\n".join(f",{row}".replace(",", sign).removeprefix("\t") for row in rows))

    assert (reading.group.id, lags(reading)) == ("depot", {"crates": [4, 0], "pallets": [1]})
    assert owned(reading) == {"van-0": ["crates-0", "pallets-0"], "van-1": ["crates-1"]}


def test_a_merged_cell_without_one_above_is_no_topic() -> None:
    reading = the_group("Topic\tPartition\tLag\tOwner\n\t1\t0\tvan-1\ncrates\t0\t4\tvan-0\n")

    assert lags(reading) == {"crates": [4]}
    assert [number for number, _ in reading.ignored] == [2]
    assert any(not lacks(note, "Line 2", "could not be read") for note in reading.notes)


@pytest.mark.parametrize(
    "stamp", ["[10:00:01]", "2026-11-23T10:00:00.123Z", "2026-11-23 10:00:00,123 INFO [main] Lag:"]
)
def test_the_time_before_rows_alone_is_no_part_of_the_group(stamp: str) -> None:
    reading = the_group(f"GROUP {ROWS[0]}\n{stamp} depot {ROWS[1]}\n")

    assert (reading.group.id, owned(reading)) == ("depot", {"van-0": ["crates-0"]})


def test_lines_in_a_list_of_yaml_are_read_without_their_quotes() -> None:
    text = "\n".join(["stdout_lines:", f"  - 'GROUP {ROWS[0]}'", f"  - 'depot {ROWS[1]}'"])

    reading = the_group(text)

    assert (reading.group.id, owned(reading)) == ("depot", {"van-0": ["crates-0"]})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("TOPIC-PARTITION CURRENT-OFFSET LAG\ncrates-0 16 4\n", "topic and partition share a"),
        ("[{ topic: 'crates', partitions: [ { partition: 0, offset: '16' } ] }]", "no lag and no"),
    ],
)
def test_what_has_no_column_of_its_own_is_refused_with_the_way_out(text: str, reason: str) -> None:
    with pytest.raises(SourceError, match=f"line 1: .*{reason}"):
        read_text(text)
