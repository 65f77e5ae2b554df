"""The Fleet page as a user meets it, without a browser."""

import json
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from sources.fleet_folders import ROOT as ROOT_VARIABLE
from tests.fleets import TIMES, commit, publish, recommendation, small, write
from ui import fleet_cache

ROOT = Path(__file__).resolve().parents[2]


def opened(folder: Path | str, **link: str | list[str]) -> AppTest:
    """Open the page alone, which is quicker than through the app."""
    page = AppTest.from_file(str(ROOT / "pages" / "fleet.py"), default_timeout=120)
    page.session_state["entered"] = True
    return visited(page, {"tables": "A folder", "folder": str(folder), **link})


def through_app(folder: Path, **link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    page.run().switch_page("pages/fleet.py")
    return visited(page, {"tables": "A folder", "folder": str(folder), **link})


def visited(page: AppTest, link: Mapping[str, str | list[str]]) -> AppTest:
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return publish(tmp_path / "fleet", small())


def said(page: AppTest) -> str:
    return " ".join(text.value for text in (*page.markdown, *page.caption, *page.info))


def errors(page: AppTest) -> list[str]:
    return [error.value for error in page.error]


def metrics(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def ranked(page: AppTest) -> pd.DataFrame:
    return page.dataframe[0].value


def lines(page: AppTest) -> list[str]:
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    return [trace["name"] for trace in spec["data"] if trace.get("showlegend") is not False]


def test_the_page_opens_with_the_conclusion_the_totals_and_the_ranking(folder: Path) -> None:
    page = opened(folder)

    assert page.title[0].value == "Fleet"
    assert "**2 of 3 groups would gain by another strategy**" in said(page)
    assert metrics(page) == {
        "Groups": "3",
        "Consumers": "9",
        "Partitions": "12",
        "Lag": "3,600",
        "Unknown lags": "1",
        "Gain by switching": "620",
        "Rows not used": "1",
    }
    assert ranked(page)["Group"].tolist() == ["orders", "mails", "audit"]
    assert ranked(page)["Best under"].tolist() == ["Round robin", "Range", "as it was"]
    assert ranked(page)["Gain"].tolist() == [600, 20, 0]


def test_every_filter_changes_what_is_shown_and_stands_in_the_link(folder: Path) -> None:
    page = opened(folder)

    page.selectbox(key="cluster").set_value("prod").run()
    page.multiselect(key="switch_to").set_value(["range"]).run()

    assert metrics(page)["Groups"] == "2"
    assert "**No group would gain by another strategy**" in said(page)
    assert page.query_params["cluster"] == "prod"
    assert page.query_params["switch_to"] == "Range"


def test_a_link_brings_the_filters_back(folder: Path) -> None:
    page = opened(folder, cluster="test", window="the last hour", switch_to=["Range"])

    assert ranked(page)["Group"].tolist() == ["mails"]
    assert ranked(page)["Gain"].tolist() == [22]
    assert page.query_params["window"] == "the last hour"


def test_the_last_hour_ends_with_the_last_snapshot(tmp_path: Path) -> None:
    tables = small()
    earlier = {TIMES[0]: TIMES[0] - timedelta(hours=2)}
    rows = [
        {**row, "snapshot_at": earlier.get(row["snapshot_at"], row["snapshot_at"])}
        for row in tables["group_summary"]
    ]

    page = opened(
        write(tmp_path / "fleet", {**tables, "group_summary": rows}), window="the last hour"
    )

    assert "6 group snapshots from 03 Mar 2026, 00:00 to 03 Mar 2026, 00:10" in said(page)


def test_a_time_between_two_moments_is_looked_at_alone(folder: Path) -> None:
    page = opened(folder, window="from … to", since="2026-03-03T00:00", until="2026-03-03T00:00")

    assert "3 group snapshots at 03 Mar 2026, 00:00 UTC" in said(page)
    assert ranked(page)["Gain"].tolist() == [660, 22, 0]
    assert page.query_params["since"] == "2026-03-03T00:00"


def test_tables_too_large_to_hold_are_read_part_by_part_and_show_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link: dict[str, str] = {"cluster": "prod", "window": "the last hour"}
    held = opened(folder, **link)
    monkeypatch.setattr(fleet_cache, "HELD_ROWS", 0)

    read = opened(folder, **link)

    assert metrics(read) == metrics(held)
    assert ranked(read).equals(ranked(held))
    assert metrics(read)["Groups"] == "2"


def test_all_strategies_named_one_by_one_are_any_strategy(folder: Path) -> None:
    page = opened(folder)
    unnamed = ranked(page)

    page.multiselect(key="switch_to").set_value(["range", "roundrobin"]).run()

    # The pipeline's own ranking: its figure stands in no row of the summaries.
    assert ranked(page).equals(unnamed)
    assert "fullest/mean 2.50 → 1.25" in ranked(page)["Why"][0]


def test_a_window_that_holds_nothing_says_so(folder: Path) -> None:
    page = opened(folder, window="from … to", since="2026-03-02T23:51", until="2026-03-02T23:52")

    assert "There is no group in these tables" in said(page)
    assert metrics(page)["Lag"] == "unknown"


def test_the_ranking_is_searched(folder: Path) -> None:
    page = opened(folder)

    page.text_input(key="fleet_search").set_value("ORD").run()
    found = ranked(page)["Group"].tolist()
    page.text_input(key="fleet_search").set_value("o.d(").run()

    assert not page.exception
    assert found == ["orders"]
    assert "Search for a part of it" in said(page)


def test_a_groups_history_has_a_line_for_each_strategy_and_the_best_possible(folder: Path) -> None:
    page = opened(folder, fleet_view="One group", of_group="orders · prod")

    assert lines(page) == ["Range", "Round robin", "as it was", "best possible"]
    assert "**Round robin** would take its fullest consumer from 900 to 300 records" in said(page)
    assert page.dataframe[0].value["Strategy"].tolist() == ["as it was", "Range", "Round robin"]
    assert len(page.get("plotly_chart")) == 2


def test_a_group_beyond_those_offered_is_shown_if_the_link_names_it(tmp_path: Path) -> None:
    ahead = [recommendation(k, "prod", f"g{k}", "range", 900.0, 300.0) for k in range(1, 301)]
    last = recommendation(301, "prod", "orders", "roundrobin", 900.0, 300.0)
    tables = {**small(), "recommendation": [*ahead, last]}

    page = opened(
        write(tmp_path / "fleet", tables), fleet_view="One group", of_group="orders · prod"
    )

    assert page.selectbox(key="of_group").value == ("prod", "orders")
    assert "**orders** (prod)" in said(page)


def test_a_group_of_which_no_figure_is_known_has_no_line_of_reasons(tmp_path: Path) -> None:
    figures = (
        "idle_members",
        "largest_partition_share",
        "moves",
        "max_over_mean",
        "max_over_mean_as_it_was",
    )
    tables = small()
    unknown = [{**row, **dict.fromkeys(figures)} for row in tables["recommendation"]]
    link = {"fleet_view": "One group", "of_group": "orders · prod"}

    known = opened(write(tmp_path / "known", tables), **link)
    page = opened(write(tmp_path / "unknown", {**tables, "recommendation": unknown}), **link)

    assert ":material/info:" in said(known)
    assert ":material/info:" not in said(page)


def test_a_group_without_consumers_in_the_tables_says_so(folder: Path) -> None:
    page = opened(folder, fleet_view="One group", of_group="audit · prod")

    assert "The tables say nothing of this group's consumers" in said(page)


def test_a_snapshot_opens_in_the_editor_of_the_compare_page(folder: Path) -> None:
    page = through_app(folder, fleet_view="One group", of_group="orders · prod")
    page.selectbox(key="snapshot").set_value(pd.Timestamp(TIMES[1])).run()

    page.button(key="open_snapshot").click().run()

    assert not page.exception
    assert page.title[0].value == "orders at 2026-03-03 00:00:00 UTC"
    assert any("3 consumers, 1 topic, 4 partitions" in text.value for text in page.subheader)


def test_a_snapshot_without_partitions_in_the_tables_is_one_sentence(folder: Path) -> None:
    page = opened(folder, fleet_view="One group", of_group="audit · prod")

    page.button(key="open_snapshot").click().run()

    assert len(errors(page)) == 1
    assert "choose another snapshot" in errors(page)[0]


@pytest.mark.parametrize(("view", "charts"), [("Distributions", 3), ("Over time", 1)])
def test_the_fleet_is_drawn(folder: Path, view: str, charts: int) -> None:
    page = opened(folder, fleet_view=view)

    assert len(page.get("plotly_chart")) == charts


@pytest.mark.parametrize(
    "figure", ["Lag", "Lag of the fullest consumer", "Fullest over mean", "Idle consumers"]
)
def test_every_figure_has_a_map(folder: Path, figure: str) -> None:
    page = opened(folder, fleet_view="Over time", map=figure)

    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    assert sorted(spec["data"][0]["y"]) == ["audit", "mails", "orders"]


def test_rows_that_were_not_used_are_one_click_away(folder: Path) -> None:
    page = opened(folder)

    page.button(key="see_rejected").click().run()

    tables = [table.value for table in page.dataframe]
    assert tables[0]["reason"].tolist() == ["not Parquet", "partition -1 is negative"]
    assert tables[1]["file"].tolist() == ["a.jsonl", "b.parquet"]


def test_without_rejected_rows_it_says_that_all_were_used(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", {**small(), "rejected": []})

    page = opened(folder, fleet_view="Rows not used")

    assert page.success[0].value == "Every row of telemetry was used."


def test_the_report_of_the_run_is_shown(folder: Path) -> None:
    (folder / "_current" / "run_report.json").write_text('{"rows_in": 12}')

    page = opened(folder, fleet_view="The run")

    assert json.loads(page.json[0].value) == {"rows_in": 12}


def test_without_a_report_it_says_so(folder: Path) -> None:
    assert "came without a run_report.json" in said(opened(folder, fleet_view="The run"))


def test_empty_tables_say_what_to_do(tmp_path: Path) -> None:
    page = opened(write(tmp_path / "fleet", {}))

    assert "the telemetry had no rows. Run the pipeline again" in said(page)
    assert not page.metric
    assert not page.success


def test_tables_of_rejected_rows_alone_show_why(tmp_path: Path) -> None:
    page = opened(write(tmp_path / "fleet", {"rejected": small()["rejected"]}))

    assert "no row that could be used. The reasons are below" in said(page)
    assert page.dataframe[0].value["reason"].tolist() == [
        "not Parquet",
        "partition -1 is negative",
    ]


def test_a_distribution_of_what_is_not_known_is_a_sentence(tmp_path: Path) -> None:
    tables = small()
    unknown = [{**row, "idle_members": None} for row in tables["recommendation"]]

    page = opened(
        write(tmp_path / "fleet", {**tables, "recommendation": unknown}),
        fleet_view="Distributions",
    )

    assert len(page.get("plotly_chart")) == 2
    assert "This is not known of any group here." in said(page)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("nothing", "does not exist"), (".", "holds no tables of the pipeline")],
)
def test_a_missing_and_a_foreign_folder_are_one_sentence(
    tmp_path: Path, name: str, sentence: str
) -> None:
    (tmp_path / "notes.txt").write_text("hello")

    page = opened(tmp_path / name)

    assert len(errors(page)) == 1
    assert sentence in errors(page)[0]
    assert not page.metric


def test_an_address_that_only_spark_reads_says_what_to_do_instead() -> None:
    page = opened("s3a://bucket/fleet")

    assert len(errors(page)) == 1
    assert errors(page)[0].startswith("The address s3a")
    assert "copy it whole to a disk of this server, or mount it there" in errors(page)[0]


def test_tables_committed_at_an_address_are_shown(tmp_path: Path) -> None:
    page = opened(f"file://{commit(tmp_path / 'fleet', small())}", fleet_view="The run")

    assert metrics(page)["Groups"] == "3"
    assert json.loads(page.json[0].value) == {"rows_in": 1}


def test_without_a_folder_the_page_asks_for_one() -> None:
    assert "Name the folder" in said(opened(""))


def test_tables_that_a_new_run_replaces_are_shown_at_the_next_click(folder: Path) -> None:
    page = opened(folder)
    before = metrics(page)["Groups"]

    summaries = [row for row in small()["group_summary"] if row["cluster"] == "test"]
    publish(folder, {**small(), "group_summary": summaries}, "2")
    page.run()

    assert (before, metrics(page)["Groups"]) == ("3", "1")


def test_below_a_root_its_folders_are_offered_and_no_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ROOT_VARIABLE, str(folder.parent))

    page = opened("fleet")
    outside = opened("/etc")

    assert page.selectbox(key="folder").options == ["fleet"]
    assert metrics(page)["Groups"] == "3"
    assert outside.selectbox(key="folder").value == "fleet"


def test_a_root_without_tables_opens_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root").mkdir()
    write(tmp_path / "fleet", small())
    monkeypatch.setenv(ROOT_VARIABLE, str(tmp_path / "root"))

    page = opened("../fleet")

    assert errors(page) == [
        "../fleet is not below the folder that FLEET\\_ROOT names; choose one that is."
    ]


def test_an_upload_is_asked_for_before_a_run(tmp_path: Path) -> None:
    page = opened(tmp_path, tables="Upload telemetry")

    assert page.button(key="run_pipeline").disabled
    assert "Up to 200 MB" in said(page)


def test_an_upload_that_is_empty_is_one_sentence(tmp_path: Path) -> None:
    page = opened(tmp_path, tables="Upload telemetry")

    page.file_uploader(key="telemetry").upload("a.jsonl", b"", "application/json").run()
    page.button(key="run_pipeline").click().run()

    assert errors(page) == ["The upload is empty; choose files of telemetry."]
