import gzip
import io
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from assign import main
from assignors.registry import STRATEGIES
from assistant import tools
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Statements
from evaluation.assuming.clients import CLIENTS
from sources.answer_json import answer_json
from sources.arguments import parsed
from sources.asking import given_of
from sources.text import read_text
from tests.sources.test_text import DESCRIBE, GROUP

ROOT = Path(__file__).parent.parent
_TWO = b"TOPIC PARTITION LAG CONSUMER-ID\nt 0 5 a\nt 1 3 b\n"
LINE = json.dumps(GROUP).encode() + b"\n"


def _run(
    *arguments: str, lines: Iterable[bytes] = (LINE,)
) -> tuple[int, list[dict[str, Any]], str]:
    out, err = io.BytesIO(), io.StringIO()

    status = main(arguments, iter(lines), out, err)

    return status, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


def _line(**changes: object) -> bytes:
    return json.dumps(GROUP | changes).encode() + b"\n"


def _process(*arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603 -- our own program with our own arguments
        [sys.executable, "assign.py", *arguments],
        cwd=ROOT,
        input=text,
        capture_output=True,
        check=False,
    )


def _pairs(assignment: dict[str, list[list[Any]]]) -> dict[str, set[tuple[str, int]]]:
    return {member: {(t, p) for t, p in owned} for member, owned in assignment.items()}


@pytest.mark.slow
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.proof)])
@pytest.mark.parametrize("strategy", ["range", "lag-based", "cooperative-sticky"])
def test_golden_cases_run_through_the_program_come_out_right(strategy: str, every: int) -> None:
    whole = gzip.decompress((ROOT / "tests" / "golden" / f"{strategy}.jsonl.gz").read_bytes())
    text = b"".join(whole.splitlines(keepends=True)[::every])
    cases = [json.loads(line) for line in text.splitlines()]

    done = _process(text=text)

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, b"")
    assert [answer["id"] for answer in answers] == [case["id"] for case in cases]
    for case, answer in zip(cases, answers, strict=True):
        if not {"kafka_bug", "canonical_unstable", "expected_error"} & case.keys():
            assert _pairs(answer["assignment"]) == _pairs(case["expected"]), case["id"]
            assert _pairs(answer.get("target", {})) == _pairs(case.get("target", {})), case["id"]


def test_an_answer_holds_the_assignment_and_its_metrics() -> None:
    group = {"topics": {"t": 3}, "lags": {"t": [5, None, -2]}, "members": GROUP["members"]}

    status, (answer,), err = _run("--strategy", "range", lines=[json.dumps(group).encode()])

    assert (status, err) == (0, "")
    assert answer["assignment"] == {"c0": [["t", 0], ["t", 1], ["t", 2]]}
    assert answer["metrics"]["max_lag"] == 5
    assert answer["metrics"]["unknown_lags"] == 1
    assert answer["metrics"]["lower_bound"] == answer["metrics"]["best_possible_max_lag"] == 5
    assert answer["metrics"]["members"] == {
        "c0": {"partitions": 3, "lag": 5, "unknown": 1, "load": 5, "topics": 1}
    }


def test_a_lag_stays_a_lag_beside_the_load_that_is_judged() -> None:
    members = [{"id": name, "topics": ["t"]} for name in "ab"]
    rates = {"t": [1.0, 0.0, 0.0]}
    group = {"topics": {"t": 3}, "lags": {"t": [0, 9, 7]}, "members": members}

    _, (answer,), _ = _run(
        *("--strategy", "lag-capped", "--judge-by", "work", "--outlook"),
        lines=[json.dumps(group | {"rates": rates}).encode()],
    )

    found, drawn = answer["metrics"], answer["outlook"]  # t-0 is due 300 records in 5 min
    assert answer["judged_by"]["what"] == "work"
    assert (found["max_load"], found["max_lag"]) == (300, 16)
    assert (found["total_load"], found["total_lag"]) == (316, 16)
    assert (found["lower_bound"], found["best_possible_max_lag"]) == (300, 9)
    assert {each["load"]: each["lag"] for each in found["members"].values()} == {300: 0, 16: 16}
    assert (drawn["max_load"]["median"], drawn["max_lag"]["median"]) == (300, 16)


@pytest.mark.parametrize("asked", ["work", "rate"])
@pytest.mark.parametrize("mode", ["--answer", "--outlook"])
def test_a_measure_that_needs_rates_is_refused_without_them_in_every_mode(
    mode: str, asked: str
) -> None:
    text = b"TOPIC PARTITION LAG CONSUMER-ID\nt 0 5 a\nt 1 3 b\n"

    status, answers, said = _run(mode, "--judge-by", asked, lines=text.splitlines(keepends=True))

    assert (status, answers) == (2, [])
    assert f"judging by {asked} needs the arrival rate: give two snapshots" in said


@pytest.mark.slow
def test_what_a_switch_brings_is_added_on_request() -> None:
    lines = (ROOT / "sample_data" / "orders.json").read_bytes().splitlines(keepends=True)

    _, records, _ = _run("--strategy", "roundrobin,sticky", "--outlook", lines=lines)

    roundrobin, sticky = (record["outlook"] for record in records)
    assert roundrobin["max_lag"] == {"low": 54_542, "high": 54_542, "median": 54_542}
    assert sticky["max_lag"]["low"] < sticky["max_lag"]["median"] < sticky["max_lag"]["high"]
    assert sticky["draws"] > roundrobin["draws"]


@pytest.mark.parametrize(
    ("named", "owned", "arguments", "runs"),
    [
        ("uniform-kafka-18688", ([0, 1], [2, 3]), (), "uniform-kafka-18688"),
        (None, ([0, 1], [2, 3]), (), "range"),  # two each, in order: only range does so afresh
        (None, ([0, 1, 2], [3]), (), None),
        ("range", ([0, 1], [2, 3]), ("--runs", "sticky"), "sticky"),
    ],
)
def test_a_switch_starts_from_what_the_group_runs_as_on_the_page(
    named: str | None, owned: tuple[list[int], ...], arguments: tuple[str, ...], runs: str | None
) -> None:
    members = [
        {"id": f"c{m}", "topics": ["t"], "owned": [["t", p] for p in partitions]}
        for m, partitions in enumerate(owned)
    ]
    group = {"id": "g", "topics": {"t": {"partitions": 4}}, "members": members, "strategy": named}

    _, records, _ = _run(
        *("--strategy", "load-sticky", "--outlook", *arguments), lines=[json.dumps(group).encode()]
    )

    assert [record["outlook"]["runs"] for record in records] == [runs]


@pytest.mark.parametrize(
    ("client", "runs", "others"),
    [
        ("java", "librdkafka-range", "librdkafka-sticky"),
        ("librdkafka", "sticky", "sarama-sticky"),
        ("kafkajs", "uniform", "range"),
    ],
)
@pytest.mark.parametrize("mode", ["--answer", "--outlook", "--all-answers"])
def test_a_strategy_that_the_client_does_not_have_is_refused_and_its_own_are_named(
    mode: str, client: str, runs: str, others: str
) -> None:
    of = CLIENTS[client]

    status, answers, said = _run(mode, "--client", client, "--runs", runs, lines=[_TWO])

    assert (status, answers) == (2, [])
    assert all(name in said for name in (of.short, runs, *(s.name for s in of.strategies)))
    assert others not in said


@pytest.mark.parametrize(
    ("client", "runs", "name"),
    [
        ("java", "range", "range"),
        ("librdkafka", "range", "librdkafka-range"),  # by the client's own name
        ("librdkafka", "librdkafka-range", "librdkafka-range"),
        ("java", "lag-based", "lag-based"),  # a jar of ours may run too
    ],
)
def test_what_a_group_is_said_to_run_is_its_clients_by_our_name_or_its_own(
    client: str, runs: str, name: str
) -> None:
    status, (answer,), _ = _run("--answer", "--client", client, "--runs", runs, lines=[_TWO])

    assert status == 0
    assert (answer["facts"]["running"], answer["facts"]["running_is"]) == (name, "stated")


STATED: tuple[tuple[tuple[str, ...], Statements], ...] = (
    (("--arriving", "500"), Statements(arriving=500)),
    (("--arriving", "1,500"), Statements(arriving=1_500)),
    (("--arriving", "80", "--spread-by-lag"), Statements(arriving=80, is_spread_by_lag=True)),
    (("--speed", "2.5"), Statements(speed=2.5)),
    (("--arriving", "9", "--partition-cap", "4"), Statements(arriving=9, partition_cap=4)),
    (("--arriving", "9", "--retention", "2m"), Statements(arriving=9, retention_s=120)),
    (("--arriving", "9", "--horizon", "2m"), Statements(arriving=9, horizon_min=2)),
    (("--interval", "1h"), Statements(interval_s=3_600)),
    (("--restarts", "quick"), Statements(is_noticed=False)),
    (("--judge-by", "partitions"), Statements(judge_by="partitions")),
)


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "stated"), STATED)
def test_what_is_stated_on_the_command_line_counts_as_wherever_it_is_stated(
    arguments: tuple[str, ...], stated: Statements
) -> None:
    table = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\n"
    first = "t 0 10 100 90 a\nt 1 10 20 10 b\n"
    text = f"{table}{first}\n{table}t 0 40 700 660 a\nt 1 20 30 10 b\n"
    (reading,) = read_text(text)

    _, (found,), _ = _run("--answer", *arguments, lines=text.encode().splitlines(keepends=True))

    expected, unstated = (
        json.loads(json.dumps(answer_json(answer_of(given_of(reading, each)), reading)))
        for each in (stated, Statements())
    )
    assert found == expected
    assert found != unstated or arguments == ("--restarts", "quick")


@pytest.mark.parametrize("mode", [("--strategy", "range"), ("--answer",), ("--convert",)])
@pytest.mark.parametrize(
    "first", ["TOPIC PARTITION LAG CONSUMER-ID", "topic,partition,lag,consumer"]
)
def test_names_that_differ_in_what_no_screen_shows_are_noted_in_whatever_is_written(
    mode: tuple[str, ...], first: str
) -> None:
    separator = "," if "," in first else " "
    rows = (separator.join(("t", str(n), "5", name)) for n, name in enumerate(("a1", "a\u200b1")))
    text = "\n".join([first, *rows, ""])

    _, (found,), _ = _run(*mode, lines=text.encode().splitlines(keepends=True))
    _, (plain,), _ = _run(
        *mode, lines=text.replace("\u200b", "x").encode().splitlines(keepends=True)
    )

    notes, usual = (
        each.get("notes", each.get("read", {}).get("notes", [])) for each in (found, plain)
    )
    assert any("invisible" in note for note in notes)
    assert not any("invisible" in note for note in usual)


def test_stated_arrivals_are_what_a_measure_by_rates_needs() -> None:
    asked = ("--strategy", "range", "--judge-by", "work", "--arriving", "2")

    status, (record,), _ = _run(*asked, lines=[_TWO])

    assert status == 0
    assert record["judged_by"]["what"] == "work"
    assert record["metrics"]["total_load"] == 8 + 2 * 300


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--speed", "0"), "--speed: speed must be more than 0 records/s; found 0"),
        (("--arriving", "-1"), "--arriving: arriving must be 0 records/s or more; found -1"),
        (("--arriving", "1,5"), "--arriving: expected a number of records/s such as 500"),
        (("--arriving", "1e16"), "--arriving: arriving must be at most"),
        (("--partition-cap", "many"), "--partition-cap: expected a number of records/s"),
        (("--retention", "0s"), "--retention: expected a time above 0"),
    ],
)
def test_what_cannot_be_stated_is_refused_with_its_option(
    arguments: tuple[str, ...], said: str
) -> None:
    status, answers, error = _run("--answer", *arguments, lines=[_TWO])

    assert (status, answers) == (2, [])
    assert said in error


def test_every_statement_can_be_made_on_the_command_line_and_by_an_assistant() -> None:
    names = {each.name for each in fields(Statements)}

    made = parsed(["--runs", "sticky"]).stated

    assert made == Statements(runs="sticky")
    assert names <= set(signature(tools.answer).parameters)


def test_undated_snapshots_are_dated_alike_with_and_without_an_answer() -> None:
    text = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\nt 0 {} {} {} a\n"
    both = f"{text.format(10, 100, 90)}\n{text.format(40, 700, 660)}".encode()
    lines, asked = both.splitlines(keepends=True), ("--judge-by", "rate", "--interval", "60s")

    _, (plain,), _ = _run("--strategy", "range", *asked, lines=lines)
    _, (answer,), _ = _run("--answer", *asked, lines=lines)

    assert plain["metrics"]["max_load"] == 600  # in a minute
    assert plain["judged_by"]["what"] == answer["judged_by"]["what"] == "rate"
    assert answer["facts"]["arriving_per_s"] == 10


def test_a_members_lag_is_null_where_none_of_it_is_known() -> None:
    _, (answer,), _ = _run("--strategy", "range")

    assert answer["metrics"]["members"]["c0"]["lag"] is None


def test_every_strategy_answers_if_neither_the_line_nor_the_user_names_one() -> None:
    _, answers, _ = _run()

    assert [answer["strategy"] for answer in answers] == list(STRATEGIES)


def test_the_lines_own_strategy_counts_unless_the_user_names_one() -> None:
    lines = [_line(strategy="fair")]

    _, own, _ = _run(lines=lines)
    _, named, _ = _run("--strategy", "range", lines=lines)

    assert [answer["strategy"] for answer in own] == ["fair"]
    assert [answer["strategy"] for answer in named] == ["range"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--strategy", "range", "--strategy", "fair"],
        ["--strategy", "range", "fair"],
        ["--strategy", "range,fair"],
        ["--strategy=range, fair", "--strategy", "range"],
    ],
)
def test_several_strategies_are_named_in_several_ways(arguments: list[str]) -> None:
    _, answers, _ = _run(*arguments)

    assert [answer["strategy"] for answer in answers] == ["range", "fair"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(["--strategy", "range"], ["librdkafka-range"], id="by Kafka's name"),
        pytest.param(["--strategy", "librdkafka-range"], ["librdkafka-range"], id="by its own"),
        pytest.param(
            [],
            [strategy.name for strategy in CLIENTS["librdkafka"].settable],
            id="all that can be set",
        ),
    ],
)
def test_a_client_s_strategies_are_its_own(arguments: list[str], expected: list[str]) -> None:
    status, answers, _ = _run("--client", "librdkafka", *arguments)

    assert (status, [answer["strategy"] for answer in answers]) == (0, expected)


def test_a_strategy_that_a_client_lacks_is_refused() -> None:
    status, _, said = _run("--client", "kafkajs", "--strategy", "range")

    assert status == 2
    assert "there is no strategy 'kafkajs-range'" in said


def test_a_file_may_follow_a_strategy(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_bytes(LINE)

    status, answers, _ = _run("--strategy", "range", str(tmp_path / "g.json"), lines=[])

    assert (status, len(answers)) == (0, 1)


def test_only_cooperative_rounds_have_a_target() -> None:
    members = [
        {"id": "a", "topics": ["t"], "owned": [["t", 0], ["t", 1]], "generation": 1},
        {"id": "b", "topics": ["t"]},
    ]
    names = "sticky,cooperative-sticky"

    _, (eager, cooperative), _ = _run("--strategy", names, lines=[_line(members=members)])

    assert "target" not in eager
    assert cooperative["assignment"] == {"a": [["t", 0]], "b": []}
    assert cooperative["target"] == {"a": [["t", 0]], "b": [["t", 1]]}
    assert cooperative["metrics"]["unowned"] == 0


def test_a_line_that_cannot_be_read_is_reported_in_its_place() -> None:
    lines = [b"{oops\n", LINE, b"\n", _line(topics={"t": -1}), _line(strategy="rnage"), LINE]

    status, answers, err = _run("--strategy", "range", lines=lines[:4] + lines[5:])
    own_status, own_answers, _ = _run(lines=[_line(strategy="rnage"), _line(strategy="range")])

    assert (status, err) == (1, "")
    assert [answer.get("line") for answer in answers] == [1, None, 4, None]
    assert answers[2]["error"] == "topics.t: expected an int >= 0, found -1"
    assert own_status == 1
    assert own_answers[0] == {
        "line": 1,
        "error": "there is no strategy 'rnage'; did you mean 'range'?",
    }
    assert own_answers[1]["strategy"] == "range"


@pytest.mark.slow
def test_lines_are_answered_as_they_come_and_not_kept() -> None:
    class Watched(io.BytesIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed += 1

    out = Watched()
    lag: list[int] = []

    def lines() -> Iterator[bytes]:
        for number in range(200):
            lag.append(number - out.flushed)
            yield LINE

    status = main(["--strategy", "range"], lines(), out, io.StringIO())

    assert status == 0
    assert max(lag) == 0


@pytest.mark.slow
def test_a_live_stream_is_answered_line_by_line() -> None:
    with subprocess.Popen(
        [sys.executable, "assign.py", "--strategy", "range"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for name in ("first", "second"):
            process.stdin.write(_line(id=name))
            process.stdin.flush()

            answer = json.loads(process.stdout.readline())

            assert answer["id"] == name
        process.stdin.close()


def test_a_paste_goes_straight_through() -> None:
    status, answers, err = _run("--strategy", "lag-based", lines=[DESCRIBE.encode()])

    assert (status, err) == (0, "")
    assert answers[0]["id"] == "g"
    assert answers[0]["assignment"] == {"c0": [["t", 0]]}


def test_text_from_powershell_in_utf_16_is_read() -> None:
    text = f"{json.dumps(GROUP | {'id': 'größer'}, ensure_ascii=False)}\r\n".encode("utf-16")

    status, answers, _ = _run("--strategy", "range", lines=io.BytesIO(text).readlines())

    assert (status, answers[0]["id"]) == (0, "größer")


def test_a_group_printed_over_many_lines_is_read() -> None:
    text = json.dumps(GROUP, indent=2).encode()

    status, answers, _ = _run("--strategy", "range", lines=text.splitlines(keepends=True))

    assert (status, len(answers)) == (0, 1)


def test_convert_writes_what_was_read_with_an_account_of_it() -> None:
    text = DESCRIBE + "g      t      2          -               9               -    -   -   -\n"

    status, (group,), _ = _run("--convert", lines=text.encode().splitlines(keepends=True))

    assert status == 0
    assert group["lags"] == {"t": [5, None, None]}
    assert group["members"][0]["owned"] == [["t", 0]]
    assert group["read"]["rows"] == 2
    assert group["read"]["format"].startswith("kafka-consumer-groups --describe")
    assert group["read"].keys() == {
        *("format", "rows", "state"),
        *("notes", "ignored", "ignored_lines"),
    }
    assert group["kind"] == "consumer"


def test_convert_dates_snapshots_by_a_stated_interval_where_the_text_does_not() -> None:
    table = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\ng t 0 {} 9 0\n"
    lines = f"{table.format(8)}\n{table.format(9)}".encode().splitlines(keepends=True)

    _, (undated,), _ = _run("--convert", lines=lines)
    _, (dated,), _ = _run("--convert", "--interval", "2m", lines=lines)
    status, _, said = _run("--convert", "--interval", "0s", lines=lines)

    assert ["at_s" in moment for moment in undated["history"]["moments"]] == [False, False]
    assert [moment["at_s"] for moment in dated["history"]["moments"]] == [0, 120]
    assert (status, "a time above 0" in said) == (2, True)


def test_what_convert_writes_is_read_again_unchanged() -> None:
    _, (first,), _ = _run("--convert", lines=[_line(strategy="fair")])

    _, (second,), _ = _run("--convert", lines=[json.dumps(first).encode()])

    assert second == first
    assert first["strategy"] == "fair"


@pytest.mark.parametrize(
    ("arguments", "text", "sentence"),
    [
        (["--strategy", "rnage"], LINE, "there is no strategy 'rnage'; did you mean 'range'?"),
        (["no-such-file.json"], b"", "no-such-file.json cannot be read: No such file or directory"),
        (["tests"], b"", "tests cannot be read: Is a directory"),
        ([], b"", "there is no text"),
        ([], b"the cat sat on the mat\n", ""),
        ([], b'{"id": "x"}\n', ""),
        ([], b"\xff\xfe\x00", ""),
    ],
)
def test_where_nothing_can_be_read_there_is_one_sentence_and_status_2(
    arguments: list[str], text: bytes, sentence: str
) -> None:
    status, answers, err = _run(*arguments, lines=io.BytesIO(text).readlines())

    assert (status, answers) == (2, [])
    assert err.startswith(f"assign.py: {sentence}")
    assert err.count("\n") == 1


def test_help_lists_formats_and_strategies(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        _run("--help")

    shown = capsys.readouterr().out
    assert caught.value.code == 0
    assert all(f"\n  {name} " in shown for name in STRATEGIES)
    assert "\n  CSV with columns" in shown


@pytest.mark.parametrize(
    ("program", "started"),
    [
        ("assign.py", "python assign.py"),
        ("kafka-assignments assign", "kafka-assignments assign"),
    ],
)
def test_help_has_an_example_that_starts_as_the_program_was_started(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], program: str, started: str
) -> None:
    monkeypatch.setattr(sys, "argv", [program])

    with pytest.raises(SystemExit):
        _run("--help")

    assert f"\n  {started} --bootstrap-server HOST:9092" in capsys.readouterr().out


@pytest.mark.slow
def test_it_is_quiet_when_the_reader_of_its_output_has_gone() -> None:
    with subprocess.Popen(
        [sys.executable, "assign.py", "--strategy", "range"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        process.stdin.write(LINE * 10)
        process.stdin.close()

        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.slow
def test_json_is_read_without_loading_pandas() -> None:
    program = "import sys, assign; assign.run(); sys.exit('pandas' in sys.modules)"

    done = subprocess.run(  # noqa: S603 -- our own program with our own arguments
        [sys.executable, "-c", program, "--strategy", "range"],
        cwd=ROOT,
        input=LINE,
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
def test_limits_hold_for_one_input_and_can_be_raised() -> None:
    long = "t" * 32_768
    large = _line(topics={long: 1}, members=[])

    status, (refused,), _ = _run("--convert", lines=[large])
    raised = _run("--convert", "--limit", "name=32768", lines=[large])

    assert (status, raised[0]) == (1, 0)
    assert "assign.py --limit name=N raises the limit" in refused["error"]
    assert [*raised[1][0]["topics"]] == [long]


def test_json_lines_are_limited_one_by_one_as_none_is_kept() -> None:
    status, _, _ = _run("--convert", "--limit", "partitions=2", lines=[LINE] * 3)

    assert status == 0


def test_a_limit_that_does_not_exist_is_refused_in_a_sentence() -> None:
    status, _, error = _run("--limit", "partition=3")

    assert (status, error.count("\n")) == (2, 1)
    assert "there is no limit 'partition'; did you mean 'partitions'?" in error


def test_certainty_is_data_and_all_answers_are_printed_where_they_are_known() -> None:
    group = {
        "topics": {"a": 2, "t": 4},
        "members": [
            {"id": "B", "topics": ["a", "t"], "owned": [["t", p] for p in range(4)]},
            {"id": "A", "topics": ["a", "t"]},
        ],
    }
    names = ("sticky", "aiokafka-sticky", "sarama-sticky")

    _, answers, _ = _run("--all-answers", "--strategy", *names, lines=[json.dumps(group).encode()])

    sure, one_of_two, of_chance = answers
    assert "3.7.1 to 4.4.0" in sure["certainty"].pop("holds_for")
    assert sure["certainty"] == {"kind": "exact", "text": "exact", "answers": 1}
    assert sure["answers"] == [sure["assignment"]]
    assert one_of_two["certainty"].items() > {"kind": "one_of_several", "answers": 2}.items()
    assert one_of_two["answers"][0] == one_of_two["assignment"] != one_of_two["answers"][1]
    assert of_chance["certainty"]["kind"] == "distribution"
    assert of_chance["answers"] is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--client", "kafkajs", "--strategy", "cooperative-sticky"),
            (
                "there is no strategy 'kafkajs-cooperative-sticky'; of kafkajs there are "
                "kafkajs-roundrobin"
            ),
        ),
        (
            ("--client", "kafka-go", "--strategy", "sticky"),
            (
                "there is no strategy 'kafka-go-sticky'; of kafka-go there are kafka-go-range, "
                "kafka-go-roundrobin"
            ),
        ),
    ],
)
def test_a_strategy_that_a_client_lacks_names_that_clients_own(
    arguments: tuple[str, ...], sentence: str
) -> None:
    status, answers, err = _run(*arguments)

    assert (status, answers) == (2, [])
    assert err == f"assign.py: {sentence}\n"


def test_nothing_is_predicted_of_a_rebalance_whose_consumers_are_not_shown() -> None:
    text = (
        b"Warning: Consumer group 'pay' is rebalancing.\n\n"
        b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        b"pay orders 0 1000 1500 500 - - -\npay orders 1 1000 1500 500 - - -\n"
    )

    _, found, _ = _run(lines=text.splitlines(keepends=True))

    assert len(found) > 1
    assert {each["assignment"] for each in found} == {None}
    assert {each["certainty"]["kind"] for each in found} == {"not_predictable"}
    assert not any("holds_for" in each["certainty"] for each in found)
