"""Groups that run no strategy of consumer groups, on every page that predicts."""

import json
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest

from tests.kinds.texts import CLASSIC, TOPOLOGY, A, B, P, Q, rest
from tests.kinds.texts import SHARE as SHARE_MEMBERS
from tests.kinds.texts import STREAMS as STREAMS_GROUP
from tests.pages.compare_page import (
    alarm,
    band,
    copied_link,
    opened,
    paste,
    press,
    seen,
    texts,
    verdict,
)
from tests.pages.test_share import share
from tests.said import figures_in, lacks

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
THREAD = "shop-1a-StreamThread-{}-consumer"
STREAMS = HEAD + "".join(
    f"shop clicks {p} 5 {9 + p} {4 + p} {THREAD.format(p)}-0a1b2c3d-1111-4a4a-8b8b-0123456789ab "
    f"/10.0.0.1 {THREAD.format(p)}\n"
    for p in (0, 1)
)
SHARE = (
    "GROUP TOPIC PARTITION START-OFFSET LAG\n"
    "thumb-workers thumbnails 0 8982 7\nthumb-workers thumbnails 1 8982 9\n"
)
FAILED_ON_B = '"FAILED", "worker_id": "10.0.0.2'


def size_shown(page: AppTest) -> str:
    """Return the size of the group in the header."""
    text = next(each.value for each in page.markdown if each.value.startswith(":small[:gray["))
    return text.removeprefix(":small[:gray[").removesuffix("]]").replace("\u00a0", " ")


def test_a_streams_application_is_told_as_one_and_gets_no_strategy_on_any_page() -> None:
    page = opened()
    paste(page, STREAMS)
    for name in ("compare", "capacity", "autoscaler", "scenarios", "rebalance"):
        page.switch_page(f"pages/{name}.py").run()

        assert not page.exception
        said = verdict(page)
        assert lacks(said, "shop is a Kafka Streams application", "num.stream.threads") == []
        assert page.dataframe[-1].value["Lag"].tolist() == [5, 4], name
        assert len(page.dataframe[0].value) == 2


def test_a_group_that_a_job_reads_asks_for_no_strategy() -> None:
    page = opened()
    runs = (
        f"2026-03-01T10:0{minute}:00Z\nGROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\n"
        f"mirror orders 0 {600 * minute} {600 * minute + 50} 50\n\n"
        for minute in range(2)
    )
    paste(page, "Consumer group 'mirror' has no active members.\n\n" + "".join(runs))

    assert not lacks(verdict(page), "10/s")
    assert not page.info


def copied(page: AppTest) -> list[tuple[str, bool, bool]]:
    """Return what the band copies, whether that has a link, and whether its button is filled."""
    buttons = band(page)["buttons"]
    return [(each["copies"], each["hasLink"], each["isMain"]) for each in buttons if each["copies"]]


def test_an_alarm_of_another_kind_is_copied_for_the_incident_channel() -> None:
    stopped = "\n".join(
        f"2026-11-27T10:{minute}:00Z\n{STREAMS.replace(' 9 4 ', f' {end} {end - 5} ')}"
        for minute, end in (("00", 900), ("10", 9_900), ("20", 18_900))
    )
    pages = []

    for text in (stopped, rest(sink=[A, A, ""])):
        page = opened()
        paste(page, text)
        pages.append(page)

    for page in pages:
        assert band(page)["tone"] == "red"
        (message, has_link, is_filled), *_ = copied(page)
        assert band(page)["finding"] in message
        assert (has_link, is_filled) == (True, True)
    assert [text for text, *_ in copied(pages[0])[1:]] == ["10.0.0.1"]


def test_a_share_group_shows_its_lag_by_partition() -> None:
    page = opened()
    paste(page, SHARE)

    assert "a share group" in verdict(page)
    assert page.dataframe[0].value["Lag"].tolist() == [9, 7]


def test_a_streams_group_shows_instances_threads_and_tasks_and_what_a_loss_brings() -> None:
    page = opened()
    paste(page, STREAMS_GROUP)

    drawn = alarm(page)
    assert figures_in(size_shown(page)) == ["2", "4", "3", "14"]
    assert not lacks(verdict(page), "7 on")
    assert [row["home"] for row in drawn["chart"]["blockRows"]] == [
        f"Instance {P[:8]}",
        "",
        f"Instance {Q[:8]}",
        "",
    ]
    first = drawn["chart"]["blockRows"][0]
    assert [(each["label"], each["kind"]) for each in (*first["blocks"], *first["copies"])] == [
        ("0_1", "outlined"),
        ("0_5", "outlined"),
        ("1_3", "filled"),
        ("2_3", "filled"),
        ("1_0", "hatched"),
        ("2_0", "hatched"),
    ]

    press(page, "leaves")

    gone = [row["isGone"] for row in alarm(page)["chart"]["blockRows"]]
    assert sum(gone) == 2
    assert f"Without {P[:8]}" in verdict(page)
    assert page.query_params["without"] == P

    press(page, "as_it_is")

    assert not lacks(verdict(page), "7 on")
    assert "without" not in page.query_params


def test_an_instance_more_is_asked_in_the_link_and_warm_ups_are_dotted() -> None:
    page = opened(instances_more="1")
    paste(page, CLASSIC + TOPOLOGY)
    page.number_input(key="instances_more").set_value(1).run()

    rows = alarm(page)["chart"]["blockRows"]
    assert {each["kind"] for row in rows for each in row["copies"]} == {"dotted"}
    times = [row[0] for row in alarm(page)["beside"]["rows"]]  # what moves is given up first
    assert times == ["at once", "at once", "10 min", "10 min", "20 min", "20 min"]
    assert "max.warmup.replicas" in verdict(page)

    page.number_input(key="warmups").set_value(3).run()

    assert "1 probing rebalance," in verdict(page)
    assert page.query_params["warmups"] == "3"


def test_a_lost_worker_and_more_consumers_of_a_share_group() -> None:
    page = opened()
    paste(page, rest(sink=[A, A, B], source=[B, A]))
    page.selectbox(key="without").set_value(B).run()

    assert [row[0] for row in alarm(page)["beside"]["rows"]] == ["0 s", "10 s", "5 min 10 s"]
    page.selectbox(key="is_leader").set_value("yes").run()
    assert [row[0] for row in alarm(page)["beside"]["rows"]] == ["0 s", "10 s"]

    paste(page, SHARE_MEMBERS)
    page.number_input(key="consumers_more").set_value(20).run()

    assert alarm(page)["below"]["rows"] == [["events", "8", "1 → 2"], ["jobs", "3", "1 → 2"]]

    paste(page, rest(sink=[A, A, B], source=[B, A]))

    assert "without" not in page.query_params
    assert [row["isGone"] for row in alarm(page)["chart"]["blockRows"]] == [False, False]


def test_a_number_out_of_bounds_is_refused_in_the_band() -> None:
    page = opened()
    paste(page, SHARE_MEMBERS)
    page.number_input(key="consumers_more").set_value(-1).run()

    assert not page.exception
    assert not lacks(page.error[0].value, "0 or more")


def test_a_consumer_group_with_idle_consumers_is_asked_what_a_share_group_would_do() -> None:
    page = opened()  # 2 of 12 consumers are idle
    page.pills(key="view").set_value("As a share group").run()

    assert not page.exception
    assert not lacks(texts(page), "2 idle")
    reads = [row["figure"] for row in alarm(page)["chart"]["blockRows"]]
    assert len(reads) == 12
    assert all(int(each.split()[0]) >= 11 for each in reads)


def test_rebalance_plays_the_rounds_and_scenarios_set_sizes_side_by_side() -> None:
    page = opened()
    paste(page, CLASSIC + TOPOLOGY)
    page.number_input(key="instances_more").set_value(1).run()
    page.switch_page("pages/rebalance.py").run()

    assert not page.exception
    rounds = page.selectbox(key="round").options
    assert len(rounds) == 7
    page.selectbox(key="round").set_value(rounds[-2]).run()
    at_rest = [len(row["blocks"]) for row in alarm(page)["chart"]["blockRows"]]
    assert at_rest == [3, 3, 3, 3]

    page.switch_page("pages/scenarios.py").run()

    assert not page.exception
    table = page.dataframe[0].value.set_index("What")
    assert table.loc["One more instance", "At rest"] == "20 min"
    assert table.loc["One more instance", "Warm up"] == 2
    assert table.loc["One more thread per instance", "Then"] == "12"


def test_the_link_and_the_file_of_a_group_of_another_kind_hold_what_is_asked() -> None:
    page = opened()
    paste(page, STREAMS_GROUP)
    page.number_input(key="instances_more").set_value(2).run()
    page.session_state["present"] = True
    page.run()

    link = dict(parse_qsl(copied_link(page).partition("?")[2]))
    again = opened(**link)

    assert link["instances_more"] == "2"
    assert verdict(again) == verdict(page)


SINK = HEAD + "".join(
    f"connect-sink orders {p} 5 {9 + p} {4 + p} connector-consumer-sink-{p}-{P} /10.0.0.1 "
    f"connector-consumer-sink-{p}\n"
    for p in (0, 1)
)


def test_a_sinks_group_opens_from_its_connector() -> None:
    page = opened()
    paste(page, f"{rest(sink=[A, A, B])}\n\n{SINK}")
    choice = page.pills(key="group_read")
    workers = next(name for name in map(seen, choice.options) if "connect-sink" not in name)
    choice.set_value(workers).run()
    assert figures_in(size_shown(page)) == ["2", "1", "2"]

    page.button(key="sink_sink").click().run()

    assert not lacks(size_shown(page), "2 consumers", "1 topic", "2 partitions")


def test_a_sink_whose_group_was_not_read_names_the_command() -> None:
    page = opened()
    paste(page, rest(sink=[A, A, B]))

    assert any("--group connect-sink" in each.value for each in page.code)


def test_a_topology_pasted_alone_joins_the_group_on_screen() -> None:
    page = opened()
    paste(page, CLASSIC)
    assert "num.stream.threads" in verdict(page)

    paste(page, TOPOLOGY)

    assert not lacks(size_shown(page), "1 instance", "2 threads", "2 sub-topologies", "12 tasks")


def test_slides_of_a_streams_group_open_from_a_link() -> None:
    page = opened()
    paste(page, STREAMS_GROUP)

    page.query_params["slide"] = "1"
    page.run()

    assert not page.exception
    (shown,) = page.get("bidi_component")
    assert shown.proto.component_name.endswith("slides")
    told = json.loads(shown.proto.json)["slides"]
    assert [each["name"] for each in told] == ["Finding", "A loss", "Sizes"]
    assert not lacks(told[0]["title"], "7 on")


def test_slides_and_report_of_a_streams_group_can_be_taken_away() -> None:
    page = opened()
    paste(page, STREAMS_GROUP)

    files = {each.label for each in share(page).download_button}

    assert files >= {"Slides as HTML", "PowerPoint", "Report"}


def test_why_tells_the_steps_of_a_task_and_what_decided_about_each() -> None:
    page = opened()
    paste(page, CLASSIC + TOPOLOGY)
    page.number_input(key="instances_more").set_value(1).run()

    page.pills(key="view").set_value("Why").run()
    page.selectbox(key="explained_item").set_value("1_0").run()

    assert not page.exception
    steps, decided = page.dataframe[-2].value, page.dataframe[-1].value
    does = [
        each
        for _, each in steps.iterrows()
        if each["Round"].startswith("1.") and "thread" not in each["Who"]
    ]
    assert [(each["Who"], each["Does"]) for each in does] == [
        ("new-1", "gets it"),
        ("new-1", "gives it up"),
        (P[:8], "gets it"),
        ("new-1", "gets it as warm-up"),
    ]
    assert "100,000 records" in does[-1]["Why"]
    of_task = decided[decided["What"] == "1_0"]
    assert [name.partition(" ")[0] for name in of_task["Holder"]] == ["new-1"]
    assert len(decided) == 12


def test_why_of_a_lost_worker_s_task_is_the_wait_and_who_has_the_fewest() -> None:
    page = opened()
    paste(page, rest(sink=[A, A, B], source=[B, A]))
    press(page, "leaves")  # the first of them is A, which runs the sink
    page.selectbox(key="without").set_value(B).run()

    page.pills(key="view").set_value("Why").run()
    page.selectbox(key="explained_item").set_value("sink-1").run()

    steps = page.dataframe[-2].value
    assert steps["Does"].tolist() == ["nobody gets it", "gets it"]
    assert steps["Who"].tolist() == ["nobody", A]
    assert "300 s" in steps["Why"].iloc[0]


def test_capacity_and_scenarios_lead_with_how_far_the_group_scales() -> None:
    page = opened()
    paste(page, STREAMS_GROUP)
    for name in ("capacity", "scenarios"):
        page.switch_page(f"pages/{name}.py").run()

        assert not lacks(verdict(page), "14 tasks", "14 threads", "4", "4 have")
        assert not lacks(verdict(page), "4 tasks")


def test_a_group_that_kafka_4_1_fails_on_is_refused_in_a_sentence() -> None:
    half = "jobs:" + ",".join(map(str, range(10)))
    members = "".join(
        f"g {name} /127.0.0.1 c 10 3 {half}\n"
        for name in ("2r8Li13RSKGZO5Me7Rpvyg", "4PXkVOfVTrGGJ4oEqNPFMA")
    )
    page = opened()
    paste(
        page,
        "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS MEMBER-EPOCH ASSIGNMENT\n"
        f"{members}\nTopic: jobs TopicId: HDQl5oQn5WMjWcIaGctU0Q PartitionCount: 20 "
        "ReplicationFactor: 1 Configs:\n",
    )

    page.selectbox(key="brokers_release").set_value("4.1").run()

    assert not page.exception
    assert "Inconsistent number of member IDs" in page.error[0].value
    page.switch_page("pages/capacity.py").run()
    assert not page.exception
    assert "Inconsistent number of member IDs" in page.error[0].value


def test_the_hosts_of_workers_whose_tasks_failed_are_copied_without_their_ports() -> None:
    page = opened()

    paste(page, rest(jdbc=[A, A, B]).replace('"RUNNING", "worker_id": "10.0.0.2', FAILED_ON_B))

    copied = {each["label"]: each["copies"] for each in band(page)["buttons"]}
    assert copied["Copy hosts"] == "10.0.0.2"
