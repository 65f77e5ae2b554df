"""Opening groups on the Compare page: uploads, links, and downloads."""

import pytest
from streamlit.testing.v1 import AppTest

from processes.limits import TIME_LIMIT
from sources import group_json, samples
from tests.pages.compare_page import (
    PASTE,
    button,
    choose_way,
    columns,
    figures,
    name,
    opened,
    paste,
    seen,
    size,
)
from tests.said import lacks


def upload(page: AppTest, **files: bytes) -> None:
    choose_way(page, "Upload")
    uploader = page.file_uploader(key="uploaded")
    for file, content in files.items():
        uploader.upload(file.replace("_", "."), content)
    page.run()
    assert not page.exception


def test_a_saved_group_can_be_opened_again() -> None:
    page = opened()
    group = samples.load("kip-49").group

    upload(page, kip_json=group_json.encode(group))

    assert name(page) == "kip-49"
    assert not lacks(size(page), "4 consumers", "5 topics", "8 partitions")


def test_csv_tables_are_read_together() -> None:
    page = opened()

    upload(
        page,
        topics_csv=b"topic,partitions\norders,4\n",
        consumers_csv=b"consumer,static_id,rack\nc1,,a\nc2,,b\n",
        lags_csv=b"topic,partition,lag\norders,0,70\n",
    )

    assert not lacks(size(page), "2 consumers", "1 topic", "4 partitions")
    assert figures(page)["Unknown lag"].tolist() == [3] * len(figures(page))


def test_a_large_file_is_read_outside_the_server() -> None:
    page = opened()
    rows = "".join(f"t,{number},5,c\n" for number in range(40_000))

    upload(page, flat_csv=f"topic,partition,lag,consumer\n{rows}".encode())

    assert not lacks(size(page), "1 consumer", "1 topic", "40,000 partitions")


def test_more_groups_than_fit_beside_one_another_are_a_list() -> None:
    page = opened()

    upload(page, many_txt="".join(PASTE.replace("billing", f"g{k}") for k in range(7)).encode())
    page.selectbox(key="group_read").set_value("7. g6").run()

    assert name(page) == "g6"


def test_a_text_of_several_groups_offers_a_choice() -> None:
    page = opened()
    two_groups = PASTE + PASTE.replace("billing", "ledger").replace("100", "900")

    upload(page, describe_txt=two_groups.encode())
    page.pills(key="group_read").set_value("2. ledger").run()

    assert name(page) == "ledger"
    assert figures(page).loc["As it is now", "Busiest"] == 902


def test_a_wrong_file_is_named_with_the_place_and_the_group_stays() -> None:
    page = opened()
    before = name(page)

    upload(page, lags_csv=b"topic,partition,lag\norders,0,many\n")

    assert len(page.error) == 1
    assert "lags.csv" in seen(page.error[0].value)
    assert "many" in page.error[0].value
    assert name(page) == before


def test_bytes_that_are_not_text_are_refused_in_a_sentence() -> None:
    page = opened()

    upload(page, picture_txt=bytes(range(256)))

    assert len(page.error) == 1


@pytest.mark.parametrize("partitions", [1_000, pytest.param(100_000, marks=pytest.mark.proof)])
def test_a_paste_of_a_large_group_opens(partitions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TIME_LIMIT, "600")  # the machine is busy with other tests
    page = opened()
    header = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    rows = (
        f"big t{p % 40:02d} {p // 40} 0 {p} {p} consumer-{p % 500:03d} /10.0.0.1 c\n"
        for p in range(partitions)
    )

    upload(page, big_txt=(header + "".join(rows)).encode())

    assert size(page).startswith(f"500 consumers · 40 topics · {partitions:,} partitions")
    assert not page.error


def test_a_text_that_could_not_be_read_stays_in_its_field() -> None:
    page = opened()

    paste(page, "no table here")

    assert page.text_area(key="pasted").value == "no table here"


def test_a_new_group_gets_its_name_and_its_tables() -> None:
    page = opened()
    choose_way(page, "New")
    page.text_input(key="new_name").set_value("orders-us")
    page.text_input(key="new_topics").set_value("24, 48, 12")
    page.number_input(key="new_consumers").set_value(10)

    button(page, "Create it").click().run()

    assert not page.exception
    assert name(page) == "orders-us"
    assert not lacks(size(page), "10 consumers", "3 topics", "84 partitions")
    assert page.session_state["edit"]
    assert not any(column["was"] for column in columns(page).values())


def test_counts_that_say_nothing_leave_the_group_on_screen() -> None:
    page = opened()
    title = name(page)
    choose_way(page, "New")
    page.text_input(key="new_topics").set_value("many")

    button(page, "Create it").click().run()

    assert "write partitions as in" in seen(page.error[0].value)
    assert name(page) == title


def test_while_a_form_is_open_its_own_button_is_the_filled_one() -> None:
    page = opened()
    kinds = []

    for way in (None, "New"):
        if way is not None:
            choose_way(page, way)
        kinds.append(button(page, "Paste your group").proto.type)

    assert kinds == ["primary", "secondary"]
