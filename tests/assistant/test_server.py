"""The tools as an assistant calls them, by the protocol's own client, over standard input."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, Tool

from assignors.catalogue import strategy_called
from assignors.model import Group
from assistant.tools import TOOLS
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Statements
from evaluation.answering.why_not_words import why_not_words
from evaluation.comparing.outcomes import at_next_rebalance
from evaluation.kinds.stated import stated_as
from evaluation.releases import holds_for
from processes.limits import TIME_LIMIT
from sources.answer_json import answer_json
from sources.asking import given_of
from sources.group_json import encode
from sources.text import read_text
from tests.kinds.texts import STREAMS, P, Q

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PASTE = (ROOT / "sample_data" / "describe-orders.txt").read_text()
FRESH = Group.fresh({"t": 4}, ["a", "b"], lags={"t": [90, 30, 20, 10]})
TEXT = encode(FRESH).decode()
TWO_SNAPSHOTS = """
# Thu Nov  5 12:00:00 UTC 2026
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
g     t     0         0              6000           6000 a /10.0.0.1 a
g     t     1         0              6000           6000 b /10.0.0.2 b
# Thu Nov  5 12:01:00 UTC 2026
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
g     t     0         6000           18000          12000 a /10.0.0.1 a
g     t     1         6000           18000          12000 b /10.0.0.2 b
"""


Answered: TypeAlias = Callable[..., Any]


def _server(environ: Mapping[str, str] | None = None) -> StdioServerParameters:
    words = ["-m", "kafka_assignments", "mcp"]
    environ = {**os.environ, **(environ or {})}
    return StdioServerParameters(command=sys.executable, args=words, env=environ, cwd=ROOT)


def asked(
    *calls: tuple[str, Mapping[str, Any]], environ: Mapping[str, str] | None = None
) -> tuple[Sequence[Tool], list[CallToolResult]]:
    """Return the tools of a new server, and its results of these calls."""

    async def session() -> tuple[Sequence[Tool], list[CallToolResult]]:
        async with Client(_server(environ)) as client:
            tools = (await client.list_tools()).tools
            return tools, [await client.call_tool(name, dict(given)) for name, given in calls]

    return asyncio.run(session())


@pytest.fixture(scope="module")
def answer() -> Iterator[Answered]:
    """Return a function that returns the structured result of a call; all calls have one server."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(_server())) as client,
    ):

        def answered(name: str, **given: Any) -> Any:  # noqa: ANN401 -- JSON
            result = portal.call(client.call_tool, name, given)
            assert not result.is_error, result.content
            found = result.structured_content
            assert found is not None
            return found.get("result", found)

        yield answered


def refusal(result: CallToolResult) -> str:
    """Return the sentence with which a call was refused."""
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


def test_every_tool_only_reads_and_has_a_schema_of_what_it_answers() -> None:
    tools, _ = asked()

    assert [tool.name for tool in tools] == [tool.__name__ for tool in TOOLS]
    for tool in tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert not tool.annotations.open_world_hint
        assert tool.output_schema is not None
        assert len(tool.description or "") > 40


def test_a_paste_is_read_as_on_the_page(answer: Answered) -> None:
    (group,) = answer("read_paste", text=PASTE)

    assert (group["name"], group["consumers"], group["partitions"]) == ("shop-checkout", 5, 13)
    assert (group["total_lag"], group["unknown_lags"], group["snapshots"]) == (180_406, 1, 1)
    assert group["ignored_lines"][0].startswith("1: $ kafka-consumer-groups.sh")


def test_a_comparison_has_the_figures_of_the_library_and_a_recommendation(answer: Answered) -> None:
    found = answer("compare_strategies", text=TEXT, strategies=["range", "lag-capped"])

    outcomes = at_next_rebalance(FRESH, [strategy_called("range"), strategy_called("lag-capped")])
    assert [each["busiest_lag"] for each in found["outcomes"]] == [
        outcome.figures.max_lag for outcome in outcomes
    ]
    assert [each["expected"] for each in found["outcomes"]] == ["next rebalance"] * 2
    assert (found["now"], found["lower_bound"]) == (None, 90)
    assert (found["verdict"], found["proposed_strategy"]) == ("not-started", "cooperative-sticky")


def test_a_comparison_says_why_a_strategy_is_not_proposed(answer: Answered) -> None:
    found = answer("compare_strategies", text=TWO_SNAPSHOTS)

    given = answer_of(given_of(next(iter(read_text(TWO_SNAPSHOTS)))))
    expected = {
        option.outcome.name: why_not_words(option, given) or None
        for option in given.strategies
        if option.outcome is not None
    }
    assert {each["strategy"]: each["why_not"] for each in found["outcomes"]}.items() >= (
        expected.items()
    )
    assert any(expected.values())


def test_where_nothing_is_predicted_a_comparison_has_a_verdict_alone(answer: Answered) -> None:
    text = (ROOT / "tests" / "cases" / "Q07-describe.txt").read_text()

    found = answer("compare_strategies", text=text)

    assert (found["verdict"], found["outcomes"]) == ("owners-unknown", [])


def test_the_answer_is_that_of_the_command_line(answer: Answered) -> None:
    found = answer("answer", text=PASTE)

    reading = next(iter(read_text(PASTE)))
    expected = answer_json(answer_of(given_of(reading)), reading)
    assert found == json.loads(json.dumps(expected))


def test_what_is_stated_counts_as_wherever_it_is_stated(answer: Answered) -> None:
    stated = {"arriving": 900.0, "speed": 200.0, "retention_s": 7200.0, "judge_by": "work"}

    found = answer("answer", text=PASTE, **stated)
    plan = answer("plan_capacity", text=TEXT, records_per_second_arriving=40)

    reading = next(iter(read_text(PASTE)))
    expected = answer_json(answer_of(given_of(reading, Statements(**stated))), reading)  # type: ignore[arg-type]
    assert found == json.loads(json.dumps(expected))
    assert (found["facts"]["arriving_per_s"], found["facts"]["arriving_is"]) == (900, "stated")
    assert (plan["records_per_second_arriving"], plan["arriving_is"]) == (40, "stated")


def test_settings_of_a_connect_cluster_are_stated_as_on_its_page(answer: Answered) -> None:
    text = (ROOT / "sample_data" / "kinds" / "connect-clump.json").read_text()
    settings = {"scheduled.rebalance.max.delay.ms": 0.0}

    plain, found = answer("answer", text=text), answer("answer", text=text, settings=settings)

    reading = next(iter(read_text(text)))
    assert reading.as_kind is not None
    given = replace(given_of(reading), kind_stated=stated_as(reading.as_kind, settings))
    assert found == json.loads(json.dumps(answer_json(answer_of(given), reading)))
    assert found != plain


def test_what_is_said_to_run_is_the_clients_own_or_refused(answer: Answered) -> None:
    found = answer("answer", text=PASTE, client="librdkafka", runs="range")

    assert found["facts"]["running"] == "librdkafka-range"
    foreign = {"text": PASTE, "client": "librdkafka", "runs": "sticky"}
    _, refused = asked(("answer", foreign), ("compare_strategies", foreign))
    for each in refused:
        assert "no strategy 'sticky' in librdkafka, which has librdkafka-range" in refusal(each)


def test_a_switch_is_said_to_be_drawn_with_its_range(answer: Answered) -> None:
    found = answer("compare_strategies", text=PASTE, strategies=["uniform-kafka-18688"])

    (outcome,) = found["outcomes"]
    assert outcome["expected"] == "after a switch"
    assert outcome["busiest_lag_from"] <= outcome["busiest_lag"] <= outcome["busiest_lag_to"]
    assert outcome["holds_for"] == holds_for([strategy_called("uniform-kafka-18688")])
    assert found["now"]["busiest_lag"] == 175_380


def test_an_owner_is_explained_step_by_step(answer: Answered) -> None:
    found = answer("explain_owner", text=TEXT, topic="t", partition=3, strategy="range")

    assert (found["owner"], found["partition"], found["certainty"]) == ("b", "t-3", "exact")
    assert found["holds_for"] == holds_for([strategy_called("range")])
    assert [step["rule"] for step in found["steps"]] == ["Candidates", "Order", "Quota", "Block"]


def test_a_task_is_explained_round_by_round(answer: Answered) -> None:
    lost = answer("explain_placement", text=STREAMS, item="1_2", without=[Q])

    assert (lost["strategy"], lost["holders"]) == (
        "streams-sticky",
        {f"{P[:8]} thread-2": "stateful"},
    )
    (step,) = lost["rounds"]
    assert (step["holder"], step["does"]) == (f"{P[:8]} thread-2", "gets it")


def test_a_plan_says_that_a_guessed_speed_is_a_guess_and_a_measured_one_measured(
    answer: Answered,
) -> None:
    guessed = answer("plan_capacity", text=TEXT)
    measured = answer("plan_capacity", text=TWO_SNAPSHOTS, strategies=["range"])

    assert (guessed["speed_is"], guessed["arriving_is"]) == ("a guess", None)
    assert (guessed["plan"], guessed["rests_on"]) == (None, "a guess")
    assert measured["speed_is"] == "measured"
    assert measured["records_per_second_of_a_consumer"] == pytest.approx(100)
    assert measured["records_per_second_arriving"] == pytest.approx(400)
    assert measured["fewest_possible"] is None  # a partition gets 200/s, and a consumer reads 100
    assert sorted(measured["too_heavy"]) == ["t-0", "t-1"]
    assert measured["plan"]["consumers"] is None
    assert measured["decided_by"] in {"t-0", "t-1"}
    assert measured["partitions_needed"] == {"t": 5}  # 400/s and 20 % more, at 100/s each


def test_a_plan_counts_the_consumers_that_each_strategy_needs(answer: Answered) -> None:
    # 150 records in 1 s at 100/s: the 90 must stand alone or with the 10. Range takes four, as it
    # never divides 90 and 30 before.
    given = {"records_per_second_of_a_consumer": 100, "seconds_allowed": 1, "seconds_paused": 0}

    found = answer("plan_capacity", text=TEXT, strategies=["range", "lag-capped"], **given)

    assert found["fewest_possible"] == 2
    needed = {each["strategy"]: each["consumers"] for each in found["strategies"]}
    assert needed == {"range": 4, "lag-capped": 2}
    # A setting comes before a jar, where the answer proposes neither.
    assert (found["plan"]["strategy"], found["plan"]["consumers"]) == ("range", 4)


def test_a_cluster_of_the_sample_fleet_is_listed_by_urgency(answer: Answered) -> None:
    found = answer("rank_fleet", cluster="analytics-us", most=3)

    first = found["ranking"][0]
    assert [row["urgency"] for row in found["ranking"]] == ["behind"] * 3
    assert (first["group"], first["verdict"]) == ("ad-impressions", "hot-partition")
    assert first["group"] in found["text"]
    assert found["behind"] == 7
    assert found["gaining"] <= found["groups"]


REFUSED: tuple[tuple[str, Mapping[str, Any], str], ...] = (
    ("read_paste", {"text": "hello"}, "No consumer group found: expected the output of"),
    (
        "compare_strategies",
        {"text": TEXT, "strategies": ["rnage"]},
        "There is no strategy 'rnage'; did you mean 'range'?",
    ),
    ("compare_strategies", {"text": TEXT, "client": "jva"}, "did you mean 'java'?"),
    ("compare_strategies", {"text": TEXT, "group": "x"}, "The text has no group 'x'; "),
    (
        "explain_placement",
        {"text": TEXT, "item": "t-0"},
        "is a consumer group, whose owners explain_owner explains",
    ),
    (
        "explain_placement",
        {"text": STREAMS, "item": "1_9"},
        "Nothing is called '1_9'; did you mean",
    ),
    (
        "explain_owner",
        {"text": TEXT, "topic": "u", "partition": 0, "strategy": "range"},
        "The group has no topic 'u'; choose from t.",
    ),
    (
        "explain_owner",
        {"text": TEXT, "topic": "t", "partition": 4, "strategy": "range"},
        "Topic 't' has the partitions 0 to 3.",
    ),
    (
        "answer",
        {"text": TEXT, "settings": {"num.standby.replicas": 1}},
        "which has no settings to state.",
    ),
    ("answer", {"text": TEXT, "judge_by": "rate"}, "Judging by rate needs the arrival rate: "),
    (
        "plan_capacity",
        {"text": TEXT, "seconds_allowed": 5, "seconds_paused": 10},
        "must be longer than the rebalance",
    ),
    ("rank_fleet", {"folder": "/etc"}, "Without FLEET_ROOT, only the sample is opened here"),
    ("rank_fleet", {"folder": "s3://b/c"}, "Without FLEET_ROOT, only the sample is opened here"),
    ("rank_fleet", {"cluster": "moon"}, "The tables hold no group of the cluster 'moon'."),
)


def test_what_cannot_be_answered_is_one_sentence() -> None:
    _, results = asked(*((name, given) for name, given, _ in REFUSED))

    for (_, _, sentence), result in zip(REFUSED, results, strict=True):
        said = refusal(result)
        assert sentence in said
        assert "\n" not in said


def test_only_tables_below_the_root_are_opened(tmp_path: Path) -> None:
    environ = {"FLEET_ROOT": str(tmp_path)}

    _, results = asked(
        ("rank_fleet", {"folder": "/etc"}),
        ("rank_fleet", {"folder": "s3://bucket/fleet"}),
        environ=environ,
    )

    for result in results:
        assert "is not below the folder that FLEET_ROOT names" in refusal(result)


@pytest.mark.parametrize(("root", "is_asked"), [("/data", False), ("s3a://bucket/fleets", True)])
def test_whether_the_open_world_is_asked_is_said(root: str, is_asked: bool) -> None:
    tools, _ = asked(environ={"FLEET_ROOT": root})

    hints = {tool.name: tool.annotations.open_world_hint for tool in tools if tool.annotations}
    assert hints == {tool.__name__: is_asked and tool.__name__ == "rank_fleet" for tool in TOOLS}


def test_a_call_has_the_limits_of_the_page_and_the_server_goes_on() -> None:
    lags = {"t": [1 << 40] * 400}
    long = encode(Group.fresh({"t": 400}, [f"c{n}" for n in range(150)], lags)).decode()

    _, (late, well) = asked(
        ("plan_capacity", {"text": long, "seconds_allowed": 1e9}),
        ("read_paste", {"text": TEXT}),
        environ={TIME_LIMIT: "0.2"},
    )

    assert late.is_error
    assert well.content
    (text,) = late.content
    assert "longer than 0.2 seconds and was stopped. Try a smaller group; " in str(text)
    assert f"the operator can allow more with {TIME_LIMIT}" in str(text)
