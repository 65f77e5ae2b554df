"""Text without a group is refused in a sentence that names the place and the way out."""

import pytest

from sources.errors import SourceError
from sources.text import read_text

OFFSETS = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\n"
ONE_CLUSTER = "Connection to node -1 (localhost/127.0.0.1:9092) could not be established."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "TOPIC PARTITION LAG\norders zero many\n",
            "line 2, column PARTITION: expected a partition number, found 'zero'",
        ),
        (
            f"{OFFSETS}billing orders x 10 20 10\n",
            "line 2, column PARTITION: expected a partition number, found 'x'",
        ),
        (
            f"{OFFSETS}billing orders 0 1o 2o 1o\n".replace("\n", "\r\n"),
            "line 2, column CURRENT-OFFSET: expected a whole number or '-', found '1o'",
        ),
        (
            f"{OFFSETS}billing\u00a0orders 0 10 20 1O\n",
            "line 2, column LAG: expected a whole number or '-', found '1O'",
        ),
        (
            "| TOPIC | PARTITION | LAG |\n|---|---|---|\n| orders | zero | 5 |\n",
            "line 3, column partition: expected a partition number, found 'zero'",
        ),
        (
            f"{OFFSETS}billing orders - - - -\n",
            "line 2, column PARTITION: expected a partition number, found '-'",
        ),
        (
            "GROUP TOPIC PARTITION LAG\nbillingorders010\n",
            (
                "line 2: 1 word does not fit the 4 columns that line 1 names; paste header and "
                "rows as the tool prints them"
            ),
        ),
        (
            "$ kcg\nGROUP TOPIC PARTITION CURRENT-OFFSET LAG\nas of noon\ndepot crates 0 3 16 4\n",
            (
                "line 4: 6 words do not fit the 5 columns that line 2 names; paste header and "
                "rows as the tool prints them"
            ),
        ),
        (
            "TOPIC LAG\norders 5\n",
            (
                "line 1: one lag a topic does not show its partitions; paste what "
                "kafka-consumer-groups --describe prints"
            ),
        ),
    ],
)
def test_a_table_is_refused_with_the_cell_that_is_wrong(text: str, sentence: str) -> None:
    with pytest.raises(SourceError) as refused:
        read_text(text)

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "text",
    [OFFSETS, OFFSETS * 2, "topic,partition,lag\n", "| TOPIC | PARTITION | LAG |\n|--|--|--|"],
)
def test_a_header_alone_is_refused_for_its_rows(text: str) -> None:
    with pytest.raises(SourceError, match=r"^line 1: no rows follow this header; paste them too$"):
        read_text(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '[{"topic": "orders", "partition": 0, "lag":',
            "the text ends, in line 1, before the JSON",
        ),
        ('{"a": 1,}', "this is not valid JSON: .* at line 1, column 9, '}'"),
        ('{"foo": 1}', "this JSON holds no group: expected an object with topics and members"),
        ("{}", "this JSON holds no group"),
        ("[]", "this JSON holds no group"),
        ('[{"a":' * 100_000, "this JSON is nested too deeply"),
        ('{"foo": 1}\n{"foo": 2}\n', "this JSON holds no group"),
        ('{"topics": {"orders": 3}, "members": ["a"', r"^members\[0\]: expected an object"),
    ],
)
def test_json_without_a_group_is_refused_as_json(text: str, sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence):
        read_text(text)


def test_csv_with_other_columns_is_told_which_it_needs() -> None:
    sentence = r"line 1: a CSV needs the columns topic and partition, found name, number, delay$"

    with pytest.raises(SourceError, match=sentence):
        read_text("name,number,delay\norders,0,5\norders,1,6\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bash: kafka-consumer-groups.sh: command not found", "the tool failed before"),
        (f"[2026-11-23 10:00:00,000] WARN {ONE_CLUSTER}", "no broker answered the tool"),
        ("dial tcp 127.0.0.1:9092: connect: connection refused", "no broker answered the tool"),
        ("Error from server (NotFound): pods not found", "the tool failed before"),
        (
            'Exception in thread "main" java.lang.NoClassDefFoundError: kafka',
            "the tool failed before",
        ),
        ("java.net.UnknownHostException: kafka-1", "no broker answered the tool"),
        ("cat: offsets.txt: No such file or directory", "the tool failed before"),
        ("<html>\n<body>502 Bad Gateway</body></html>", "this is the source of a web page"),
        ('Missing required argument "[bootstrap-server]"', "the tool failed before"),
        ("Warning: Consumer group 'depot' is rebalancing.", "the group is rebalancing"),
        ('{"status": "error", "errorType": "bad_data"}', "the server answered with an error"),
        ('{"error": true, "message": "consumer not found"}', "the server answered with an error"),
        ('{"data": {"resultType": "vector", "result": []}}', "the query found nothing"),
        ('kafka_consumergroup_lag{topic="orders"} 5', "this is not the lag of a group"),
    ],
)
def test_what_a_tool_says_in_place_of_a_table_is_explained(text: str, reason: str) -> None:
    with pytest.raises(SourceError, match=f"^line 1: {reason}"):
        read_text(text)


@pytest.mark.parametrize(
    ("failure", "way_out"),
    [
        ("TimeoutException: Timed out waiting for a node assignment.", "--bootstrap-server"),
        ("GroupAuthorizationException: Not authorized to access group: pay", "DESCRIBE"),
        ("TopicAuthorizationException: Not authorized to access topics: [o]", "DESCRIBE"),
        ("CoordinatorNotAvailableException: not available.", "__consumer_offsets"),
        ("NotCoordinatorException: This is not the correct coordinator.", "__consumer_offsets"),
        ("SaslAuthenticationException: Authentication failed", "--command-config"),
    ],
)
def test_a_failed_tool_is_told_what_its_own_exception_asks_for(failure: str, way_out: str) -> None:
    text = (
        "Error: Executing consumer group command failed due to "
        f"org.apache.kafka.common.errors.{failure}\n"
        "java.util.concurrent.ExecutionException: org.apache.kafka.common.errors.ApiException\n"
    )

    with pytest.raises(SourceError, match=rf"line 1: .*{way_out}"):
        read_text(text)


@pytest.mark.parametrize(
    "text", ["orders zero many", "[2026-11-23 10:00:00,000] all is well", "the orders, they lag"]
)
def test_prose_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(SourceError, match=r"^no consumer group found: expected the output of"):
        read_text(text)


def test_a_command_without_its_output_is_told_apart() -> None:
    sentence = (
        r"^line 1: this is the command; run kafka-consumer-groups.sh and paste what it prints$"
    )

    with pytest.raises(SourceError, match=sentence):
        read_text(
            "$ bin/kafka-consumer-groups.sh --bootstrap-server kafka:9092 --describe --all-groups\n"
        )


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("billing\ndepot-eu\n", "kafka-consumer-groups --describe"),
        ("$ kafka-consumer-groups.sh --list\nbilling\n", "kafka-consumer-groups"),
        ("CONSUMER_GROUP\nbilling\n", "kafkactl describe consumer-group"),
        (
            (
                " Cluster ID | Consumer Group | Simple | Partition Assignor | State\n"
                "------------+----------------+--------+--------------------+-------\n"
                " lkc-1      | billing        | false  | range              | STABLE\n"
            ),
            "kafka-consumer-groups --describe",
        ),
    ],
)
def test_names_alone_are_refused_with_the_command_that_describes_one(
    text: str, command: str
) -> None:
    with pytest.raises(SourceError, match=f"without partitions; paste what {command}"):
        read_text(text)


@pytest.mark.parametrize(
    "header", ["| Time | Partition | Lag |", "Partition\tLag", "partition,offset"]
)
def test_partitions_without_a_topic_ask_for_its_name(header: str) -> None:
    row = header.replace("Time", "T+0s").replace("Partition", "0").replace("partition", "0")
    with pytest.raises(SourceError, match="the table does not name its topic"):
        read_text(f"{header}\n{row.replace('Lag', '5').replace('offset', '5')}\n")


@pytest.mark.parametrize("text", ["crates:0:20\n", "crates [0] offset 20\n"])
def test_offsets_of_topics_are_no_group(text: str) -> None:
    with pytest.raises(SourceError, match="these are offsets of topics, without a group"):
        read_text(text)


def test_a_brokers_log_of_kafka_4_is_one_too() -> None:
    with pytest.raises(SourceError, match="a broker's log does not say who owns what"):
        read_text(
            "INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=12] [GroupId g] x"
        )


def test_a_list_of_groups_in_a_diff_is_one() -> None:
    text = (
        "-consumergroup1    2    0\n"
        "+Consumer group ID   Active members   Partitions with lag   State\n"
        "+pay    2    0    Empty\n"
    )

    with pytest.raises(SourceError, match=r"line 2: this is a list of groups"):
        read_text(text)


def test_another_table_of_the_share_groups_tool_is_refused_as_of_a_share_group() -> None:
    text = (
        "$ bin/kafka-share-groups.sh --bootstrap-server b:9092 --describe --group pay\n\n"
        "GROUP_ID  COORDINATOR_NODE  OFFSETS\npay       1                 orders-0=>878\n"
    )

    with pytest.raises(SourceError, match=r"line 1: kafka-share-groups .* share group"):
        read_text(text)


def test_a_table_without_a_topic_beside_another_text_is_told() -> None:
    (reading,) = read_text(
        "Partition  LogSize  Consumer Offset  Lag  Consumer Instance Owner\n"
        "0          1000     400              600  srv-3\n"
        "1          1000     999              1    srv-2\n\n"
        '{"topic": "tracks", "partition": 1, "offset": 999, "lag": 1, "group": "pay"}\n'
    )

    assert any("601 behind" in note for note in reading.notes)
