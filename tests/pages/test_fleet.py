"""The Fleet page as a user sees it, without a browser."""

import base64
import json
import re
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import FloatArray
from evaluation.answering.words import words_of
from evaluation.verdict_kinds import VerdictKind
from processes import calls
from processes.limits import TIME_LIMIT
from schemas.tables import AS_IT_WAS
from sources.fleet.location import ROOT as ROOT_VARIABLE
from sources.fleet.runs import edition_of
from tests.fleets import TIMES, quiet, small, summaries, write
from tests.pages.compare_page import (
    band,
    listed,
    open_listed,
    opened_alone,
    opened_from_menu,
    press,
    verdict,
)
from tests.said import figures_in, lacks
from ui.fleet import cache
from ui.fleet import folder as folder_choice


def opened(folder: Path | str, **link: str | list[str]) -> AppTest:
    return clicked_open(linked(folder, **link))


def linked(folder: Path | str, **link: str | list[str]) -> AppTest:
    return opened_alone("fleet", **{"tables": "A folder", "folder": str(folder), **link})


def clicked_open(page: AppTest) -> AppTest:
    """Click what opens a folder that a link names, where that is asked."""
    for button in page.button:
        if button.key == "open_folder":
            return button.click().run()
    return page


def through_app(folder: Path, **link: str) -> AppTest:
    link = {"tables": "A folder", "folder": str(folder), **link}
    return clicked_open(opened_from_menu("fleet", **link))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "fleet", quiet())
    return tmp_path / "fleet"


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    write(tmp_path / "stopped", small())
    return tmp_path / "stopped"


def said(page: AppTest) -> str:
    return " ".join(text.value for text in (*page.markdown, *page.caption, *page.info))


def errors(page: AppTest) -> list[str]:
    return [read(error.value) for error in page.error]


def read(markdown: str) -> str:
    """Return the text that Markdown shows: no backslashes, nothing invisible."""
    return re.sub(r"\\(?=[\W_])", "", markdown).replace("\N{WORD JOINER}", "")


def totals(page: AppTest) -> list[str]:
    """Return the parts of the line under the conclusion."""
    line = next(text.value for text in page.markdown if "group snapshot" in text.value)
    return line.removeprefix(":small[").removesuffix("]").split(" · ")


def by_gain(folder: Path | str, **link: str | list[str]) -> AppTest:
    return opened(folder, fleet_view="By gain", **link)


def ranked(page: AppTest) -> pd.DataFrame:
    return page.dataframe[0].value


def lines(page: AppTest) -> list[str]:
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    return [trace["name"] for trace in spec["data"] if trace.get("showlegend") is not False]


# The sample's come first, while what test_every_page.py has found of it is still cached.
def test_of_many_strategies_four_lines_are_drawn_and_the_table_has_all() -> None:
    page = opened_alone("fleet", fleet_view="One group", of_group="fraud-scorer · payments-eu")

    drawn, table = lines(page), page.dataframe[0].value
    assert (len(drawn), drawn[-1]) == (5, "lower bound")
    assert len(table) == 12
    assert not lacks(said(page), "8 others")


def test_an_upgrade_of_the_sample_fleets_brokers_leaves_the_consumers_alone() -> None:
    names = {"switch_all_from": "uniform", "switch_all_to": "uniform-kafka-18688"}

    page = opened_alone("fleet", fleet_view="Switch", **names)

    assert not lacks(said(page), "21", "440 partitions", "21, once")
    assert page.code[0].value.startswith("kafka-features.sh")


def test_the_time_until_a_backlog_ends_is_that_of_the_groups_own_page() -> None:
    page = opened_alone("fleet", fleet_view="Time lag")

    times = page.dataframe[0].value.set_index("Group")["Catches up in"]
    assert times["clickstream-sessions"] == "never"
    assert times["fleet-telematics"] == "7 h 47 min"


def test_the_page_opens_on_what_is_urgent_and_what_to_do(folder: Path) -> None:
    page = opened(folder)

    said = band(page)
    assert lacks(said["finding"], "1 of 3 groups") == []
    assert lacks(said["evidence"], "67", "orders", "Round robin", "1 more group") == []
    assert lacks(said["action"], "orders", "Round robin") == []
    assert [button["label"] for button in said["buttons"]] == ["Open orders"]
    assert totals(page) == [
        "**3** groups in 2 clusters",
        "**9** consumers, 3 idle",
        "**12** partitions",
        "**3,600** records of lag (unknown for 1 partition)",
        "9 group snapshots from 02 Mar 2026, 23:50 to 03 Mar 2026, 00:10 UTC",
    ]
    assert page.button(key="see_rejected").label == "3 rows of telemetry rejected"
    rows = listed(page)
    assert [(row["name"], row["section"]) for row in rows] == [
        ("orders", "A setting helps"),
        ("mails", "Open to check"),
        ("audit", "Not looked at"),
    ]
    assert [row["do"] for row in rows] == [
        *("Switch to Round robin", "Range: gain by one simulation; open to check", "")
    ]
    assert figures_in(rows[0]["gain"]) == ["67"]
    assert (rows[0]["stays"], rows[0]["bySetting"]) == pytest.approx((0.3333, 0.6667))
    assert [row["tone"] for row in rows] == ["neutral"] * 3


def test_what_switching_gains_is_a_picture_and_a_ranking(folder: Path) -> None:
    page = by_gain(folder)

    assert bars(page) == {"by a setting": [67, 17], "with a jar as well": [0, 0]}
    assert ranked(page)["Group"].tolist() == ["orders", "mails", "audit"]
    assert ranked(page)["Best strategy"].tolist() == ["Round robin", "Range", "as it was"]
    assert ranked(page)["By a setting"].tolist() == [
        *("67 %: Round robin", "17 %: Range", "none gains")
    ]
    assert ranked(page)["Gain"].tolist() == [660, 22, 0]


def bars(page: AppTest) -> dict[str, list[int]]:
    """Return the gains that the picture shows, in percent."""
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    return {
        trace["name"]: np.round(values(trace["x"])).astype(int).tolist()
        for trace in spec["data"]
        if trace["type"] == "bar"
    }


def values(sent: list[float] | dict[str, str]) -> FloatArray:
    """Return numbers as they were before they were sent to the browser."""
    if isinstance(sent, list):
        return np.array(sent)
    return np.frombuffer(base64.b64decode(sent["bdata"]), sent["dtype"]).astype(np.float64)


def test_a_group_in_trouble_comes_first_and_no_strategy_is_proposed_to_it(stopped: Path) -> None:
    page, gains = opened(stopped), by_gain(stopped)

    assert band(page)["tone"] == "red"
    assert "1 of 3 groups" in band(page)["finding"]
    assert "orders" in band(page)["action"]
    first = listed(page)[0]
    assert (first["name"], first["section"], first["tone"]) == ("orders", "Not keeping up", "red")
    assert (first["bySetting"], first["gain"]) == (0, "")
    assert "stopped" in first["now"]
    assert "Restart" in first["do"]
    row = ranked(gains).set_index("Group").loc["orders"]
    assert (row["Best strategy"], row["Gain"]) == ("as it was", 0)
    assert bars(gains) == {"by a setting": [17], "with a jar as well": [0]}


def test_the_band_opens_the_group_to_start_with_at_its_last_snapshot(stopped: Path) -> None:
    page = through_app(stopped)

    press(page, "open")

    assert read(page.header[0].value) == "orders at 2026-03-03 00:10:00 UTC"
    assert page.session_state["answer"].answer.verdict.kind is VerdictKind.STOPPED


def test_a_row_shows_its_group_in_the_chosen_time(stopped: Path) -> None:
    page = opened(stopped, window="the last hour")

    open_listed(page, "prod", "orders")

    assert page.selectbox(key="of_group").value == ("prod", "orders")
    assert page.query_params["window"] == "the last hour"


def test_no_strategy_is_proposed_that_the_group_s_client_cannot_be_set_to(tmp_path: Path) -> None:
    tables = quiet()
    members = [{**row, "client_id": "rdkafka"} for row in tables["group_member"]]
    folder = write(tmp_path / "fleet", {**tables, "group_member": members})

    page, gains = opened(folder), by_gain(folder)

    orders = ranked(gains).set_index("Group").loc["orders"]
    assert orders["Best strategy"] == "as it was"
    assert "refused" in orders["Why"]
    assert next(row for row in listed(page) if row["name"] == "orders")["do"] == ""


def test_groups_of_other_kinds_are_counted_apart(tmp_path: Path) -> None:
    tables = quiet()
    members = [
        {**row, "client_id": "shop-StreamThread-1-consumer"} for row in tables["group_member"]
    ]
    folder = write(tmp_path / "fleet", {**tables, "group_member": members})

    page, gains = opened(folder), by_gain(folder)
    group = opened(folder, fleet_view="One group", of_group="orders · prod")

    assert ranked(gains)["Group"].tolist() == ["mails", "audit"]
    assert {row["name"] for row in listed(page)} == {"orders", "mails", "audit"}
    assert "1 Kafka Streams" in band(page)["evidence"]
    assert "Kafka Streams" in said(group)
    assert not group.exception


@pytest.mark.parametrize("judged_by", ["lag", "work", "rate", "partitions"])
def test_the_page_names_what_its_tables_judge_by(tmp_path: Path, judged_by: str) -> None:
    tables, noun = quiet(), {"work": "Load", "rate": "Arrivals"}.get(judged_by, judged_by)
    folder = write(tmp_path / "fleet", tables, judged_by=judged_by)

    page, group = by_gain(folder), opened(folder, fleet_view="One group", of_group="orders · prod")
    over_time = opened(folder, fleet_view="Over time")

    assert f"of the {noun.lower()} off" in verdict(page)
    assert noun.lower() in axis(page, "xaxis")
    assert over_time.selectbox(key="map").options[0] == noun.capitalize()
    assert noun.lower() in axis(group, "yaxis")


def axis(page: AppTest, name: str) -> str:
    text: str = json.loads(page.get("plotly_chart")[0].proto.spec)["layout"][name]["title"]["text"]
    return text


def test_tables_of_an_earlier_release_say_so_and_how_to_make_them_anew(folder: Path) -> None:
    write(folder, small(), judged_by=None)

    page = opened(folder)

    assert lacks(said(page), "An earlier release made these tables", "pipeline replay") == []


def test_every_filter_changes_what_is_shown_and_is_in_the_link(folder: Path) -> None:
    page = by_gain(folder)

    page.selectbox(key="cluster").set_value("prod").run()
    page.multiselect(key="switch_to").set_value(["range"]).run()

    assert totals(page)[0] == "**2** groups in 1 cluster"
    assert ranked(page)["Gain"].tolist() == [0, 0]
    assert page.query_params["cluster"] == "prod"
    assert page.query_params["switch_to"] == "Range"


def test_a_link_brings_the_filters_back(folder: Path) -> None:
    page = by_gain(folder, cluster="test", window="the last hour", switch_to=["Range"])

    assert ranked(page)["Group"].tolist() == ["mails"]
    assert ranked(page)["Gain"].tolist() == [22]
    assert page.query_params["window"] == "the last hour"


def test_the_last_hour_ends_with_the_last_snapshot(tmp_path: Path) -> None:
    tables = quiet()
    earlier = {TIMES[0]: TIMES[0] - timedelta(hours=2)}
    rows = [
        {**row, "snapshot_at": earlier.get(row["snapshot_at"], row["snapshot_at"])}
        for row in tables["group_summary"]
    ]

    page = opened(
        write(tmp_path / "fleet", {**tables, "group_summary": rows}), window="the last hour"
    )

    assert not lacks(said(page), "6 group", "03", "2026", "00:00", "03", "2026", "00:10")


def test_a_time_between_two_moments_is_looked_at_alone(folder: Path) -> None:
    page = by_gain(folder, window="from … to", since="2026-03-03T00:00", until="2026-03-03T00:00")

    assert not lacks(said(page), "3 group", "03", "2026", "00:00", "UTC")
    assert ranked(page)["Gain"].tolist() == [660, 22, 0]
    assert page.query_params["since"] == "2026-03-03T00:00"


def test_tables_too_large_to_hold_are_read_part_by_part_and_show_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link: dict[str, str] = {"cluster": "prod", "window": "the last hour"}
    held = by_gain(folder, **link)
    monkeypatch.setattr(cache, "HELD_ROWS", 0)

    read = by_gain(folder, **link)

    assert totals(read) == totals(held)
    assert ranked(read).equals(ranked(held))
    assert len(ranked(read)) == 2


def test_all_strategies_named_one_by_one_are_any_strategy(folder: Path) -> None:
    page = by_gain(folder)
    unnamed = ranked(page)

    page.multiselect(key="switch_to").set_value(["range", "roundrobin"]).run()

    assert ranked(page).equals(unnamed)


def test_a_window_that_holds_nothing_says_so(folder: Path) -> None:
    page = by_gain(folder, window="from … to", since="2026-03-02T23:51", until="2026-03-02T23:52")

    assert "No group has a snapshot" in said(page)
    assert [each.value for each in page.info] == [
        "No group has a snapshot in this cluster and time."
    ]


def test_the_ranking_is_searched(folder: Path) -> None:
    page = by_gain(folder)

    page.text_input(key="fleet_search").set_value("ORD").run()
    found = ranked(page)["Group"].tolist()
    page.text_input(key="fleet_search").set_value("o.d(").run()

    assert not page.exception
    assert found == ["orders"]
    assert "Try a shorter part of it" in said(page)


def test_a_groups_history_has_a_line_for_each_strategy_and_the_best_possible(folder: Path) -> None:
    page = opened(folder, fleet_view="One group", of_group="orders · prod")

    assert lines(page) == ["Range", "Round robin", "as it was", "lower bound"]
    assert not lacks(said(page), "Round robin", "990", "330 records")
    assert page.dataframe[0].value["Strategy"].tolist() == ["as it was", "Range", "Round robin"]
    assert len(page.get("plotly_chart")) == 2


def test_what_a_setting_brings_a_group_stands_beside_a_custom_assignor(tmp_path: Path) -> None:
    loads = {AS_IT_WAS: 900, "range": 900, "roundrobin": 600, "load-sticky": 300}
    tables = {**quiet(), "group_summary": summaries("prod", "orders", loads)}

    page = opened(
        write(tmp_path / "fleet", tables, strategies=["range", "roundrobin", "load-sticky"]),
        fleet_view="One group",
        of_group="orders · prod",
    )

    assert not lacks(read(said(page)), "Load-sticky", "990", "330")
    assert "33 %: Round robin" in read(said(page))


def test_a_group_beyond_those_offered_is_shown_if_the_link_names_it(tmp_path: Path) -> None:
    loads = {AS_IT_WAS: 9_000, "range": 3_000}
    ahead = [row for k in range(1, 301) for row in summaries("prod", f"g{k}", loads)]
    last = summaries("prod", "orders", {AS_IT_WAS: 900, "range": 300})
    tables = {**quiet(), "group_summary": [*ahead, *last]}

    page = opened(
        write(tmp_path / "fleet", tables, strategies=["range"]),
        fleet_view="One group",
        of_group="orders · prod",
    )

    assert page.selectbox(key="of_group").value == ("prod", "orders")
    assert "**orders** (prod)" in said(page)


def test_a_group_of_which_no_figure_is_known_has_no_line_of_reasons(tmp_path: Path) -> None:
    figures = ("lower_bound", "max_over_mean_load", "moved_from_present", "moved_from_previous")
    tables = quiet()
    unknown = [
        {**row, **dict.fromkeys(figures), "idle_members": 0} for row in tables["group_summary"]
    ]
    link = {"fleet_view": "One group", "of_group": "orders · prod"}

    known = opened(write(tmp_path / "known", tables), **link)
    page = opened(write(tmp_path / "unknown", {**tables, "group_summary": unknown}), **link)

    assert ":material/info:" in said(known)
    assert ":material/info:" not in said(page)


def test_a_group_without_consumers_in_the_tables_says_so(folder: Path) -> None:
    page = opened(folder, fleet_view="One group", of_group="audit · prod")

    assert "no consumers of this group" in said(page)


def test_a_snapshot_opens_in_the_editor_of_the_compare_page(folder: Path) -> None:
    page = through_app(folder, fleet_view="One group", of_group="orders · prod")
    page.selectbox(key="snapshot").set_value(pd.Timestamp(TIMES[1])).run()

    page.button(key="open_snapshot").click().run()

    assert not page.exception
    assert read(page.header[0].value) == "orders at 2026-03-03 00:00:00 UTC"
    group = page.session_state["scenario"].group
    assert (group.member_count, len(group.topics), group.partition_count) == (3, 1, 4)


@pytest.mark.parametrize("moment", [0, 1, 2])
def test_one_group_says_of_a_snapshot_what_the_groups_page_says(stopped: Path, moment: int) -> None:
    page = through_app(stopped, fleet_view="One group", of_group="orders · prod")
    page.selectbox(key="snapshot").set_value(pd.Timestamp(TIMES[moment])).run()
    told = read(next(m.value for m in page.markdown if "At this snapshot" in m.value))
    assert any("Over 3 snapshots" in m.value for m in page.markdown)

    page.button(key="open_snapshot").click().run()

    answer = page.session_state["answer"].answer
    assert words_of(answer).headline in told
    assert (answer.verdict.kind is VerdictKind.STOPPED) == (moment > 0)


def test_a_snapshot_without_partitions_in_the_tables_is_one_sentence(folder: Path) -> None:
    page = opened(folder, fleet_view="One group", of_group="audit · prod")

    page.button(key="open_snapshot").click().run()

    assert len(errors(page)) == 1
    assert "choose another snapshot" in errors(page)[0]


@pytest.mark.parametrize(
    ("view", "charts"), [("Distributions", 3), ("Over time", 1), ("Tested on the past", 1)]
)
def test_the_fleet_is_drawn(folder: Path, view: str, charts: int) -> None:
    page = opened(folder, fleet_view=view)

    assert len(page.get("plotly_chart")) == charts


@pytest.mark.parametrize(
    "figure", ["Lag", "Lag of the busiest consumer", "Busiest over mean", "Idle consumers"]
)
def test_every_figure_has_a_map(folder: Path, figure: str) -> None:
    page = opened(folder, fleet_view="Over time", map=figure)

    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    assert sorted(spec["data"][0]["y"]) == ["audit", "mails", "orders"]


def test_rejected_rows_are_one_click_away(folder: Path) -> None:
    page = opened(folder)

    page.button(key="see_rejected").click().run()

    tables = [table.value for table in page.dataframe]
    assert tables[0]["reason"].tolist() == ["no group", "partition -1 is negative"]
    assert tables[1]["file"].tolist() == ["a.jsonl", "a.jsonl", "b.csv"]


def test_without_rejected_rows_it_says_so(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", {**small(), "rejected": []})

    page = opened(folder, fleet_view="Rejected rows")

    assert page.success[0].value == "No row of telemetry was rejected."


def test_the_run_shows_what_it_read_found_and_wrote(tmp_path: Path) -> None:
    quality = {"offsets_backwards": 4, "answers_missing": 0, "seconds": {"ingest": 1.5}}
    folder = write(
        tmp_path,
        small(),
        rows_in=12_345,
        rows_used=12_342,
        rows_rejected=3,
        input="s3://bucket/[telemetry](x)",
        quality=json.dumps(quality),
    )

    page = opened(folder, fleet_view="The run")

    assert {metric.label: metric.value for metric in page.metric} == {
        "Rows read": "12,345",
        "Rows used": "12,342",
        "Rows rejected": "3",
        "Offsets backwards": "4",
        "Answers missing": "0",
    }
    assert not lacks(said(page), "03", "2026", "00:10:00", "UTC")
    assert r"\[telemetry\]" in said(page)
    assert page.dataframe[0].value.set_index("Table")["Version"]["rejected"] == 0
    assert page.dataframe[1].value.to_dict("list") == {"Stage": ["ingest"], "Seconds": [1.5]}
    assert json.loads(page.json[0].value)["quality"] == quality


def test_a_run_that_recorded_nothing_more_is_shown_all_the_same(folder: Path) -> None:
    page = opened(folder, fleet_view="The run")

    assert not page.metric
    assert json.loads(page.json[0].value)["run_id"] == "run-0"


def test_empty_tables_say_what_to_do(tmp_path: Path) -> None:
    page = opened(write(tmp_path / "fleet", {}))

    assert lacks(said(page), "no rows", "Run the pipeline") == []
    assert not page.dataframe
    assert not page.success


def test_tables_of_rejected_rows_alone_show_why(tmp_path: Path) -> None:
    page = opened(write(tmp_path / "fleet", {"rejected": small()["rejected"]}))

    assert lacks(said(page), "every row", "rejected", "Fix") == []
    assert page.dataframe[0].value["reason"].tolist() == [
        "no group",
        "partition -1 is negative",
    ]


def test_a_distribution_of_what_is_not_known_is_a_sentence(tmp_path: Path) -> None:
    tables = quiet()
    unknown = [{**row, "idle_members": None} for row in tables["group_summary"]]

    page = opened(
        write(tmp_path / "fleet", {**tables, "group_summary": unknown}),
        fleet_view="Distributions",
    )

    assert len(page.get("plotly_chart")) == 2
    assert "Unknown for every group here." in said(page)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nothing", "does not exist"),
        (".", "holds no tables of the pipeline"),
        ("empty", "is empty"),
        ("old", "was written by an earlier version"),
    ],
)
def test_a_folder_without_tables_is_one_sentence(tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "empty").mkdir()
    (tmp_path / "old" / "_versions").mkdir(parents=True)

    page = opened(tmp_path / name)

    assert len(errors(page)) == 1
    assert sentence in errors(page)[0]
    assert not page.dataframe


@pytest.mark.parametrize("is_below_a_root", [False, True])
def test_a_log_that_anybody_may_have_written_is_read_in_a_process_of_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, is_below_a_root: bool
) -> None:
    asked: list[Callable[..., Any]] = []
    run_or_stop: Callable[..., Any] = vars(folder_choice)["run_or_stop"]

    def noted(read: Callable[..., Any], *arguments: object) -> object:
        asked.append(read)
        return run_or_stop(read, *arguments)

    monkeypatch.setattr(folder_choice, "run_or_stop", noted)
    if is_below_a_root:
        monkeypatch.setenv(ROOT_VARIABLE, str(folder.parent))

    page = opened(folder.name if is_below_a_root else folder)

    assert totals(page)[0] == "**3** groups in 2 clusters"
    assert asked == ([] if is_below_a_root else [edition_of] * len(asked))
    assert bool(asked) is not is_below_a_root


def test_a_table_that_cannot_be_read_is_one_sentence(folder: Path) -> None:
    for path in (folder / "group_summary").rglob("*.parquet"):
        path.unlink()

    page = opened(folder)

    assert len(errors(page)) == 1
    assert "Table group" in errors(page)[0]
    assert "cannot be read" in errors(page)[0]


def test_a_file_address_is_a_folder_too(folder: Path) -> None:
    assert len(listed(opened(f"file://{folder}"))) == 3


def test_without_a_folder_the_page_asks_for_one() -> None:
    assert "Name the folder" in said(opened(""))


def test_tables_that_a_new_run_replaces_are_shown_at_the_next_click(folder: Path) -> None:
    page = opened(folder)
    before = totals(page)[0]

    summaries = [row for row in small()["group_summary"] if row["cluster"] == "test"]
    write(folder, {**small(), "group_summary": summaries})
    page.run()

    assert (before, totals(page)[0]) == ("**3** groups in 2 clusters", "**1** group in 1 cluster")


def test_a_folder_that_a_link_names_is_opened_by_a_click_alone(folder: Path) -> None:
    page = linked(folder)
    before = (page.text_input(key="folder").value, len(page.dataframe), len(page.error))
    assert len(page.title) == 1  # a heading, as long as no verdict is one
    clicked_open(page)
    another = linked("/etc")

    assert before == (str(folder), 0, 0)
    assert len(listed(page)) == 3
    assert not errors(another)
    assert not any(name.name in said(another) for name in Path("/etc").iterdir())


@pytest.mark.proof
def test_tables_made_elsewhere_are_read_within_limits_and_not_in_the_server(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TIME_LIMIT, "0.001")
    while calls._idle:  # one that has imported what reads tables may be in time
        calls._idle.pop().end()

    page, sample = opened(folder), opened_alone("fleet")

    assert any(not lacks(error, "0.001 seconds") for error in errors(page))
    assert not page.dataframe
    assert listed(sample)


def test_a_folder_that_the_visitor_types_is_opened_at_once(folder: Path) -> None:
    page = linked("")

    page.text_input(key="folder").set_value(str(folder)).run()

    assert len(listed(page)) == 3


def test_a_link_asks_no_bucket() -> None:
    page = linked("s3://169.254.169.254/fleet")

    assert not lacks(errors(page)[0], "FLEET_ROOT")


def test_below_a_root_its_folders_are_offered_and_no_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ROOT_VARIABLE, str(folder.parent))

    page = opened("fleet")
    outside = opened("/etc")

    assert page.selectbox(key="folder").options == ["fleet"]
    assert len(listed(page)) == 3
    assert outside.selectbox(key="folder").value == "fleet"


def test_a_root_without_tables_opens_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root").mkdir()
    write(tmp_path / "fleet", small())
    monkeypatch.setenv(ROOT_VARIABLE, str(tmp_path / "root"))

    page = opened("../fleet")

    assert errors(page) == [
        "../fleet is not below the folder that FLEET_ROOT names; choose one that is."
    ]


def test_a_run_requires_an_upload(tmp_path: Path) -> None:
    page = opened(tmp_path, tables="Upload telemetry")

    assert page.button(key="run_pipeline").disabled
    assert "Up to 200 MB" in said(page)


def test_an_upload_that_is_empty_is_one_sentence(tmp_path: Path) -> None:
    page = opened(tmp_path, tables="Upload telemetry")

    page.file_uploader(key="telemetry").upload("a.jsonl", b"", "application/json").run()
    page.button(key="run_pipeline").click().run()

    assert errors(page) == ["The upload is empty; choose files of telemetry that hold rows."]


def test_time_lag_says_who_is_furthest_behind_and_who_loses_records(stopped: Path) -> None:
    page = opened(stopped, fleet_view="Time lag")

    assert not lacks(read(said(page)), "20 min")
    table = page.dataframe[0].value
    assert table[["Group", "Behind", "Catches up in", "Loses records in"]].to_numpy().tolist() == [
        ["orders", "at least 20 min", None, "never"]
    ]

    page.number_input(key="retention").set_value(0.25).run()

    assert "**orders** (prod) is losing records of o" in read(said(page))


def test_switching_the_fleet_is_summarised_and_described_step_by_step(folder: Path) -> None:
    page = opened(folder, fleet_view="Switch", switch_all_to="roundrobin")

    parts = ("3 groups", "Round robin", "6 of 12", "pauses 12", "0 groups keep", "1,070", "460")
    assert lacks(said(page), *parts) == []
    assert page.expander[0].label == "How to switch"
    assert page.dataframe[0].value["moved"].tolist() == [2, 2, 2]


def test_a_strategy_of_another_client_goes_by_its_label(tmp_path: Path) -> None:
    other, tables = "librdkafka-roundrobin", small()
    rows = [
        {**row, "strategy": other} if row["strategy"] == "roundrobin" else row
        for row in tables["group_summary"]
    ]
    folder = write(tmp_path, {**tables, "group_summary": rows}, strategies=["range", other])

    page = opened(folder, fleet_view="Switch", switch_all_to=other)

    assert not lacks(said(page), "3 groups", "Round robin", "2")
    assert page.selectbox(key="switch_all_from").options == ["Range", "Round robin (librdkafka 2)"]


def test_what_the_first_half_advised_is_compared_with_what_the_second_kept(folder: Path) -> None:
    page = opened(folder, fleet_view="Tested on the past")

    assert lacks(said(page), "**2 of 2 groups**", "first half", "second") == []
    assert "less lag" in axis(page, "xaxis")


def test_without_spark_the_upload_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)  # as if it were not installed

    page = opened("", tables="Upload telemetry")

    assert "make pipeline" in said(page)
    assert not page.get("file_uploader")
