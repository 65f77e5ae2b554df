"""Text around tables, and damage from copying."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

from itertools import pairwise

import pytest

from sources.errors import SourceError
from sources.text import read_text
from tests.pasted import lags, owned, the_group
from tests.said import lacks

HEAD = "GROUP  TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID    HOST        CLIENT-ID"
ROWS = [
    "till   orders  0          10              14              4    till-0-aa11bb  /10.0.0.1   till-0",
    "till   orders  1          -               9               -    till-1-cc22dd  /10.0.0.2   till-1",
    "till   refunds 0          7               7               0    till-1-cc22dd  /10.0.0.2   till-1",
]
TABLE = "\n".join([HEAD, *ROWS])
LAGS = {"orders": [4, None], "refunds": [0]}
OWNED = {"till-0-aa11bb": ["orders-0"], "till-1-cc22dd": ["orders-1", "refunds-0"]}


def _each(change: str) -> str:
    """Insert every line of the table into a pattern."""
    return "\n".join(change.format(line) for line in TABLE.splitlines())


DISGUISES = {
    "carriage returns": TABLE.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + TABLE,
    "hard blanks": TABLE.replace("  ", "\xa0\xa0"),
    "colours": _each("\x1b[1;32m{}\x1b[0m"),
    "quoted mail": _each("> {}"),
    "quoted twice": _each("> > {}"),
    "escaped quote marks": _each("&gt; {}"),
    "commented out": _each("# {}"),
    "a bullet each": _each("* {}"),
    "indented": _each("        {}"),
    "tabs": "\n".join("\t".join(line.split()) for line in TABLE.splitlines()),
    "single blanks": "\n".join(" ".join(line.split()) for line in TABLE.splitlines()),
    "fence": f"```sh\n{TABLE}\n```",
    "html": f"<pre><code>{TABLE}</code></pre>",
    "Jira": f"{{noformat}}\n{TABLE}\n{{noformat}}",
    "compose prefix": _each("kafka-1  | {}"),
    "log prefix": _each("2024-05-06T07:08:09.123Z broker-0 {}"),
    "line numbers": "\n".join(f"{n:4}  {line}" for n, line in enumerate(TABLE.splitlines(), 1)),
    "blank lines between": TABLE.replace("\n", "\n\n"),
    "long dashes": TABLE.replace(" - ", " \u2013 "),
    "markdown table": "\n".join(
        "| " + " | ".join(line.split()) + " |" for line in [HEAD, " ".join(["---"] * 9), *ROWS]
    ),
    "Confluent's CLI": "\n".join(
        ["   Cluster | " + " | ".join(HEAD.replace("-", " ").title().split("  ")).strip(" |")]
        + ["-----------+----"]
        + ["   lkc-1   | " + " | ".join(row.split()) for row in ROWS]
    ),
    "Jira table": "\n".join(
        [
            "||" + "||".join(HEAD.split()) + "||",
            *("|" + "|".join(row.split()) + "|" for row in ROWS),
        ]
    ),
    "list of lines": "\n".join(["[", *(f'        "{line}",' for line in TABLE.splitlines()), "]"]),
    "frame": f"┌{'─' * 200}┐\n" + _each("│ {:199}│") + f"\n└{'─' * 200}┘",
    "left border": _each("│{}"),
    "single quotes": "\n".join(f"'{' '.join(line.split())}'," for line in TABLE.splitlines()),
    "drawn table": "\n".join("│ " + " │ ".join(line.split()) + " │" for line in TABLE.splitlines()),
    "commas": "\n".join(", ".join(line.split()) for line in TABLE.splitlines()),
    "junk in the header": TABLE.replace("GROUP  TOPIC ", "GROUP ** TOPIC "),
    "no header": "\n".join(ROWS),
    "rules between": f"{HEAD}\n{'-' * 90}\n" + "\n".join(ROWS) + f"\n{'=' * 90}",
    "a remark at the end of a row": TABLE.replace("till-0\n", "till-0   <-- this one is stuck\n"),
}


@pytest.mark.parametrize("text", DISGUISES.values(), ids=DISGUISES)
def test_a_table_is_read_through_what_copying_does_to_it(text: str) -> None:
    reading = the_group(text)

    assert reading.group.id == "till"
    assert (lags(reading), owned(reading)) == (LAGS, OWNED)
    assert reading.ignored == ()


def _broken(lines: list[str], *places: int) -> str:
    """Break every line at these places."""
    cuts = [0, *places, None]
    return "\n".join(line[a:b] for line in lines for a, b in pairwise(cuts))


WHO = HEAD.index("CONSUMER-ID")
WRAPS = {
    "after the lag": _broken([HEAD, *ROWS], WHO),
    "before the client": _broken([HEAD, *ROWS], HEAD.index("CLIENT")),
    "in three": _broken([HEAD, *ROWS], HEAD.index("CURRENT"), WHO),
    "inside a number's column": _broken([HEAD, *ROWS], 50),
    "inside the consumer id": _broken([HEAD, *ROWS], WHO + 3),
    "rows alone": HEAD + "\n" + _broken(ROWS, WHO),
    "rows alone, inside the consumer id": HEAD + "\n" + _broken(ROWS, WHO + 3),
}


@pytest.mark.parametrize("text", WRAPS.values(), ids=WRAPS)
def test_rows_that_run_over_several_lines_are_joined(text: str) -> None:
    reading = the_group(text)

    assert (lags(reading), owned(reading)) == (LAGS, OWNED)
    assert reading.ignored == ()


@pytest.mark.parametrize(
    "line",
    [
        "$ kafka-consumer-groups.sh --bootstrap-server b:9092 --describe --group till",
        "I have no name!@kafka-0:/$ kafka-consumer-groups.sh --describe --group till",
        "\u276f kubectl exec -it kafka-0 -- kafka-consumer-groups.sh --describe --group till",
        'Defaulted container "kafka" out of: kafka, metrics, init (init)',
        "[2024-05-06 07:08:09,123] WARN something about a deprecated option (kafka.admin)",
        "Error: Executing consumer group command failed due to a timeout",
        "Вот вывод команды, партиция 1 отстаёт на 9 сообщений:",
        "上面的结果展示了消费者组的分区分配以及每个分区的lag",
        "As you can see partition 1 of 3 never moves, 10 minutes later still the same",
        "[source,bash]",
    ],
)
@pytest.mark.parametrize("place", [0, 2, 4])
def test_other_lines_are_listed_with_their_number_and_change_nothing(line: str, place: int) -> None:
    lines = TABLE.splitlines()
    lines.insert(place, line)

    reading = the_group("\n".join(lines))

    assert reading.ignored == ((place + 1, line),)
    assert owned(reading) == OWNED


def test_metrics_below_a_table_are_listed_as_ignored() -> None:
    metric = 'kafka_consumergroup_lag{consumergroup="till",partition="0",topic="orders"} 99'

    reading = the_group(f"{TABLE}\n\n{metric}\n")

    assert reading.ignored == ((6, metric),)
    assert lags(reading)["orders"] == [4, None]


ONE_TOPIC = """\
## Topic: `orders`

| Partition | Current Offset | Log End Offset | Lag | Consumer |
|-----------|----------------|----------------|-----|----------|
| 0         | 1,234          | 1,238          | 4 ⚠️ | till-0   |
| 1         | 10             | 10             | 0 ✅ | till-1   |
"""


@pytest.mark.parametrize("sign", ["|", "\t", "  "], ids=["pipes", "tabs", "blanks"])
def test_a_table_of_one_topic_may_have_its_name_above(sign: str) -> None:
    lines = [
        line.strip("|").replace("|", sign) for line in ONE_TOPIC.splitlines() if "--" not in line
    ]
    text = ONE_TOPIC if sign == "|" else "\n".join(lines).replace(" ⚠️", "").replace(" ✅", "")

    reading = the_group(text)

    assert lags(reading) == {"orders": [4, 0]}
    assert owned(reading) == {"till-0": ["orders-0"], "till-1": ["orders-1"]}
    assert reading.ignored == ()


def test_a_table_without_a_topic_is_refused_with_its_line() -> None:
    with pytest.raises(SourceError, match="line 3: the table does not name its topic"):
        read_text(ONE_TOPIC.replace("Topic", "About"))


def test_rows_that_were_left_out_are_noted() -> None:
    reading = the_group("\n".join([HEAD, ROWS[0], "...", ROWS[2]]))

    _, note = reading.notes
    assert lacks(note, "Line 3", "left out") == []


def test_a_group_that_is_rebalancing_is_noted() -> None:
    reading = the_group(f"\nWarning: Consumer group 'till' is rebalancing.\n\n{TABLE}")

    assert reading.rebalancing is not None
    assert reading.rebalancing.target is None
    assert reading.ignored == ()


def test_a_group_without_members_has_none() -> None:
    text = (
        "\nConsumer group 'nightly' has no active members.\n\n"
        "GROUP   TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID\n"
        "nightly logs   0          60              103             43   -            -     -\n"
    )

    reading = the_group(text)

    assert (reading.group.members, reading.ignored) == ((), ())


def test_hand_edited_columns_that_no_longer_line_up_are_read() -> None:
    text = "\n".join(
        [
            HEAD,
            *(" ".join(row.split()[:3]) + "      " + "   ".join(row.split()[3:]) for row in ROWS),
        ]
    )

    assert owned(the_group(text)) == OWNED


def test_a_blank_cell_is_found_by_the_places_of_the_names() -> None:
    row = "till   orders  0          10                              4    till-0-aa11bb  /10.0.0.1   till-0"

    reading = the_group(f"{HEAD}\n{row}")

    assert (lags(reading), owned(reading)) == ({"orders": [4]}, {"till-0-aa11bb": ["orders-0"]})


def test_a_remark_on_a_row_that_is_out_of_line_does_not_hide_it() -> None:
    row = "till orders 0 10 14 4 till-0-aa11bb /10.0.0.1 till-0 <- stuck since 9 this morning"

    reading = the_group(f"{HEAD}\n{row}")

    assert (lags(reading), owned(reading)) == ({"orders": [4]}, {"till-0-aa11bb": ["orders-0"]})


def test_rows_below_a_truncated_header_are_read_by_their_content() -> None:
    reading = the_group("\n".join([HEAD[HEAD.index("CURRENT") :], ROWS[0]]))

    assert (reading.group.id, lags(reading)) == ("till", {"orders": [4]})


def test_a_group_name_with_a_blank_is_read_whole_also_for_idle_members() -> None:
    rows = [row.replace("till  ", "my till") for row in ROWS]
    idle = "my till -       -          -               -               -    till-2-ee33ff  /10.0.0.3   till-2"

    reading = the_group("\n".join([HEAD, *rows, idle]))

    assert reading.group.id == "my till"
    assert owned(reading) == OWNED | {"till-2-ee33ff": []}


def test_client_ids_with_blanks_do_not_hide_the_member() -> None:
    row = "till   orders  0          10              14              4    my till-0-aa11bb  /10.0.0.1   my till"

    assert owned(the_group(f"{HEAD}\n{row}")) == {"my till-0-aa11bb": ["orders-0"]}


def test_a_table_cut_off_after_the_lag_has_lags_and_no_owners() -> None:
    text = "\n".join(line[:WHO] for line in TABLE.splitlines())

    reading = the_group(text)

    assert lags(reading) == {"orders": [4, None], "refunds": [0]}
    assert reading.group.members == ()


def test_one_row_alone_is_read_where_its_numbers_add_up() -> None:
    reading = the_group(
        "as printed:\n  mirror-7  0          144424          136204          -8220\n"
    )

    assert lags(reading) == {"mirror-7": [-8220]}


def test_a_table_of_other_columns_ends_the_one_before_it() -> None:
    other = "GROUP  TOPIC   PARTITION  NEW-OFFSET\ntill   orders  0          12"

    reading = the_group(f"{TABLE}\n\n{other}\n")

    assert reading.rows == 3
    assert [number for number, _ in reading.ignored] == [6, 7]


@pytest.mark.parametrize(
    "text",
    [
        "hello there",
        "the consumer group has a lag on topic orders, partition 3",
        "[1, 2, 3]",
        "0 1 2 3 4",
    ],
)
def test_a_text_without_a_group_gives_one_sentence(text: str) -> None:
    with pytest.raises(SourceError, match=r"^no consumer group found: expected .*; paste .*line$"):
        read_text(text)


def test_partition_numbers_no_cluster_has_are_refused_with_a_sentence() -> None:
    rows = "\n".join(f"t{topic} 999999 1 2 1" for topic in range(11))

    with pytest.raises(SourceError, match=r"11,000,000 partitions are more than the 1,0"):
        read_text(f"TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\n{rows}")


TABS = {
    "one tab": lambda line: "\t".join(line.split()),
    "two tabs": lambda line: "\t\t".join(line.split()),
    "tabs by width": lambda line: "".join(
        f"{word}{chr(9) * (2 - len(word) // 8)}" for word in line.split()
    ),
    "tabs and blanks": lambda line: " \t ".join(line.split()),
    "hard blanks": lambda line: "\xa0\xa0".join(line.split()),
    "thin blanks": lambda line: "\u200a\u205f".join(line.split()),
    "form feeds": lambda line: "\x0b\x0c".join(line.split()),
}


@pytest.mark.parametrize("rows", TABS)
@pytest.mark.parametrize("header", TABS)
def test_any_whitespace_separates_columns(header: str, rows: str) -> None:
    lines = [TABS[header](HEAD), *map(TABS[rows], ROWS)]

    (reading,) = read_text("\n".join(lines))

    assert reading.group.id == "till"
    assert lags(reading) == {"orders": [4, None], "refunds": [0]}
    assert owned(reading) == OWNED


def test_a_blank_cell_between_single_tabs_stays_blank() -> None:
    row = "till\torders\t0\t10\t\t4\ttill-0-aa11bb\t/10.0.0.1\tmy till"

    reading = the_group(TABS["one tab"](HEAD) + "\n" + row)

    assert (lags(reading), owned(reading)) == ({"orders": [4]}, {"till-0-aa11bb": ["orders-0"]})


def test_partitions_that_only_follow_from_higher_numbers_are_noted() -> None:
    rows = "".join(f"g orders {number} 1 2 1\n" for number in (0, 4, 6))

    reading = the_group(f"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\n{rows}")

    (note,) = reading.notes
    assert lacks(note, "1-3, 5 of 'orders'", "unknown lag and owner") == []
    assert reading.group.is_owner_unknown.all()


def test_partitions_that_a_list_of_topics_names_need_no_note() -> None:
    listed = "Topic: orders\tPartitionCount: 5\tReplicationFactor: 3\tConfigs:\n"

    reading = the_group(f"{HEAD}\n{ROWS[0]}\n{listed}")

    assert lags(reading) == {"orders": [4, None, None, None, None]}
    assert reading.notes == ()


INACTIVE = "Consumer group 'till' has no active members."


def test_the_owners_of_a_group_without_active_members_are_its_last_ones() -> None:
    reading = the_group(f"{INACTIVE}\n\n{TABLE}")

    assert reading.group.members == ()
    assert lags(reading) == {"orders": [4, None], "refunds": [0]}
    (note,) = reading.notes
    parts = (
        "no active members",
        "till-0-aa11bb (orders: 0)",
        "till-1-cc22dd (orders: 1; refunds: 0)",
    )
    assert lacks(note, *parts) == []


def test_owners_in_a_table_above_are_last_owners_and_those_below_a_later_header_are_not() -> None:
    nobody = "\n".join(row.rsplit(None, 3)[0] + " - - -" for row in ROWS)

    ended = the_group(f"{TABLE}\n\n{INACTIVE}\n{HEAD}\n{nobody}\n")
    restarted = the_group(f"{INACTIVE}\n{HEAD}\n{nobody}\n\n{TABLE}\n")

    assert ended.group.members == ()
    assert "Its last owners were till-0-aa11bb (orders: 0)" in " ".join(ended.notes)
    assert owned(restarted) == OWNED
    assert not any("last owners" in note for note in restarted.notes)


def test_a_group_that_was_empty_for_a_moment_had_owners_before_and_has_others_since() -> None:
    times = [f"Fri Nov 27 10:00:{second} UTC 2026" for second in ("00", "20", "40")]
    nobody = "\n".join([HEAD, *(row.rsplit(None, 3)[0] + " - - -" for row in ROWS)])
    later = TABLE.replace("aa11bb", "dd33ee").replace("cc22dd", "ff44aa")

    reading = the_group("\n\n".join([times[0], TABLE, times[1], INACTIVE, nobody, times[2], later]))

    assert reading.history is not None
    held = [moment.held and moment.held.members for moment in reading.history.moments]
    assert held == [
        ("till-0-aa11bb", "till-1-cc22dd"), None, ("till-0-dd33ee", "till-1-ff44aa"),
    ]  # fmt: skip
    assert reading.group.members == held[-1]


def test_a_header_wrapped_at_a_hyphen_is_joined() -> None:
    lines = [HEAD.removesuffix("ID"), "ID", *ROWS]

    reading = the_group("\n".join(lines))

    assert (owned(reading), reading.ignored) == (OWNED, ())


@pytest.mark.slow
@pytest.mark.parametrize("quote", ["", "> "])
def test_a_table_wrapped_at_any_width_is_read_whole(quote: str) -> None:
    first = ROWS[0].replace(
        "10              14              4   ", "1200            1630            430 "
    )
    for width in range(45, len(HEAD)):
        lines = [
            quote + line[at : at + width]
            for line in [HEAD, first, *ROWS[1:]]
            for at in range(0, len(line), width)
        ]

        reading = the_group("\n".join(lines))

        assert lags(reading) == LAGS | {"orders": [430, None]}, width
        assert owned(reading) == OWNED, width


@pytest.mark.parametrize("blank", ["\xa0", "\u202f", "\u2009"])
def test_hard_blanks_between_thousands_part_no_cells(blank: str) -> None:
    text = TABLE.replace(
        "10              14              4 ", f"1{blank}010           1{blank}440           430 "
    )

    reading = the_group(text)

    assert lags(reading) == LAGS | {"orders": [430, None]}
    assert owned(reading) == OWNED


def test_a_number_with_blanks_in_it_that_the_lag_contradicts_is_not_read_as_several() -> None:
    text = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\norders 0 1 120 1 150 31\norders 1 5 5 0\n"

    reading = the_group(text)

    assert lags(reading) == {"orders": [None, 0]}
    assert "Line 2 looks like a row but could not be read." in reading.notes


FRAMES = {
    "pandas": """\
       group   topic  partition  lag
0  till one  orders          0    4
1  till one  orders          1    0
""",
    "polars": """\
┌──────────┬────────┬───────────┬─────┐
│ group    ┆ topic  ┆ partition ┆ lag │
│ ---      ┆ ---    ┆ ---       ┆ --- │
│ str      ┆ str    ┆ i64       ┆ i64 │
╞══════════╪════════╪═══════════╪═════╡
│ till one ┆ orders ┆ 0         ┆ 4   │
│ till one ┆ orders ┆ 1         ┆ 0   │
└──────────┴────────┴───────────┴─────┘
""",
    "HTML": "<table><tr><th>Group</th><th>Topic</th><th>Partition</th><th>Lag</th></tr>"
    "<tr><td>till one</td><td><a href='/t'>orders</a></td><td>0</td><td>4</td></tr>"
    "<tr><td>till one</td><td><a href='/t'>orders</a></td><td>1</td><td>0</td></tr></table>",
    "links": "| Group | Topic | Partition | Lag |\n|---|---|---|---|\n"
    "| till one | [orders](https://x/y) | 0 | 4 |\n| till one | [orders](https://x/y) | 1 | 0 |\n",
    "marks of direction": "\u200eGroup | Topic | Partition | Lag\n"
    "till one | \u2066orders\u2069 | 0 | 4\ntill one | or\xadders | 1 | 0\n",
}


@pytest.mark.parametrize("text", FRAMES.values(), ids=FRAMES)
def test_data_frames_and_pages_are_read_without_their_decoration(text: str) -> None:
    reading = the_group(text)

    assert (reading.group.id, lags(reading)) == ("till one", {"orders": [4, 0]})


@pytest.mark.parametrize("sign", [" ", "\t", ",", ", ", ";", " | "])
def test_rows_without_a_header_may_be_separated_by_any_sign(sign: str) -> None:
    text = "\n".join(sign.join(row.split()) for row in reversed(ROWS))

    reading = the_group(text)

    assert (reading.group.id, reading.ignored) == ("till", ())
    assert {name: lags(reading)[name] for name in LAGS} == LAGS
    assert reading.rows == 3


def test_signs_of_another_format_are_no_part_of_a_name() -> None:
    with pytest.raises(SourceError, match="no consumer group found"):
        read_text('2026-03-01,host,"till orders 0 10 14 4 till-0 /10.0.0.1 till"\n')


def test_rows_above_the_first_that_leaves_no_doubt_are_read_too() -> None:
    reading = the_group("till orders 0 - 9 - - - -\ntill orders 1 5 9 4 - - -\n")

    assert (lags(reading), reading.rows) == ({"orders": [None, 4]}, 2)


def test_lines_are_joined_so_that_a_lag_agrees_with_its_offsets() -> None:
    lines = ["till orders 0 1200 1630 43", "0 till.eu-1 /10.0.0.1", "till"]

    reading = the_group("\n".join([HEAD, *lines]))

    assert (lags(reading), owned(reading)) == ({"orders": [430]}, {"till.eu-1": ["orders-0"]})


def test_a_line_of_numbers_below_a_table_is_no_row() -> None:
    reading = the_group(f"{TABLE}\n1 2 3 4 5\n")

    assert (lags(reading), owned(reading)) == (LAGS, OWNED)
    assert reading.ignored == ((5, "1 2 3 4 5"),)


def test_a_remark_behind_an_arrow_is_no_part_of_the_client_id() -> None:
    reading = the_group(TABLE.replace("till-0\n", "till-0   <-- this one is stuck\n"))

    assert reading.group.layout.client_ids["till-0-aa11bb"] == "till-0"


def test_a_blank_cell_is_found_by_the_places_of_names_that_are_aligned_right() -> None:
    rows = (
        "GROUP   TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG    CONSUMER-ID       HOST",
        " till  orders          0              10              14    4  till-0-aa11bb  /10.0.0.1",
        " till  orders          1                               9    9  till-0-aa11bb  /10.0.0.1",
    )

    reading = the_group("\n".join(rows))

    assert (lags(reading), owned(reading)) == (
        {"orders": [4, 9]},
        {"till-0-aa11bb": ["orders-0", "orders-1"]},
    )


def test_words_that_columns_in_another_order_cannot_hold_are_not_read_as_other_cells() -> None:
    text = (
        "CLIENT-ID CURRENT-OFFSET PARTITION HOST LOG-END-OFFSET TOPIC LAG CONSUMER-ID\n"
        "till 10 0 /10.0.0.1 14 orders 4 till-0\n"
        "orders 1 10 14 4 till-0/10.0.0.1 till\n"
    )

    reading = the_group(text)

    assert (lags(reading), owned(reading)) == ({"orders": [4]}, {"till-0": ["orders-0"]})
    assert [number for number, _ in reading.ignored] == [3]


def test_a_partition_of_which_two_rows_name_different_owners_has_an_unknown_one() -> None:
    text = (
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "pay orders 0 1000 1500 500 c0-id /10.0.0.1 c0\n"
        "pay orders 0 1000 1500 500 c1-id /10.0.0.2 c1\n"
        "pay orders 1 1000 1500 500 c1-id /10.0.0.2 c1\n"
    )

    reading = the_group(text)

    assert reading.group.members == ("c0-id", "c1-id")
    assert reading.group.is_owner_unknown.tolist() == [True, False]
    (note,) = reading.notes
    assert lacks(note, "Line 3", "unknown") == []
    same = the_group(text.replace("c1-id /10.0.0.2 c1\npay orders 1", "c0-id /h c0\npay orders 1"))
    assert not same.group.is_owner_unknown.any()


def test_a_timeout_of_the_tool_is_noted() -> None:
    error = (
        "Error: Executing consumer group command failed due to "
        "org.apache.kafka.common.errors.TimeoutException: Call(callName=describe) timed out"
    )

    reading = the_group(f"{TABLE}\n{error}\n")

    assert any(not lacks(note, "coordinator", "TimeoutException") for note in reading.notes)
    assert not any("TimeoutException" in note for note in the_group(TABLE).notes)


def test_a_group_that_is_dead_is_refused_as_one_that_does_not_exist() -> None:
    head = "GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\n"

    with pytest.raises(SourceError, match="pay is Dead"):
        read_text(f"{head}pay b1:9092 (1) - Dead 0\n")
    (left,) = read_text(f"{head}pay b1:9092 (1) - Dead 0\nbuy b1:9092 (1) range Stable 2\n")
    assert left.name == "buy"
    assert any("pay is Dead" in note for note in left.notes)


@pytest.mark.parametrize("prefix", ["rp-1  | ", "[pod/rp-0/redpanda] "])
def test_what_a_container_prints_is_read_behind_its_name(prefix: str) -> None:
    said = (
        "GROUP     pay\nSTATE     Stable\nBALANCER  sticky\nMEMBERS   1\n\n"
        "TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST\n"
        "t      0          10              15              5    a-1        a          10.0.0.1\n"
    )
    plain, behind = (the_group(each) for each in (said, prefix + said.replace("\n", f"\n{prefix}")))

    assert (behind.name, behind.state, behind.strategy) == ("pay", "Stable", "sticky")
    assert (behind.name, behind.format) == (plain.name, plain.format)
    assert lags(behind) == lags(plain)


def test_a_first_cell_that_is_the_same_in_each_row_is_no_container() -> None:
    text = "pay | orders | 0 | 10 | 15 | 5\npay | orders | 1 | 10 | 16 | 6\npay | orders | 2 | 1 | 1 | 0\n"
    headed = f"GROUP | TOPIC | PARTITION | CURRENT-OFFSET | LOG-END-OFFSET | LAG\n{text}"

    assert the_group(headed).name == "pay"
