"""What the browser draws: shares of one scale, texts, and nothing that is not JSON."""

import json
from dataclasses import replace
from typing import Any

import pytest

from evaluation.takes import Takes
from ui.picture.drawn import as_data
from ui.picture.incident import incident_data
from ui.picture.model import (
    BandButton,
    BarChart,
    BarRow,
    ConsumerRow,
    FactTable,
    IncidentPicture,
    Others,
    RateStack,
    SideBySide,
    SnapshotMark,
    SnapshotStrip,
    StackChart,
    StackPart,
    StrategyColumn,
    TableHead,
    Tone,
    VerdictBand,
)
from ui.picture.snapshots import strip_data
from ui.picture.verdict import _narrow_px, band_data

NOW = StrategyColumn(
    key="now", label="As it is now", takes=Takes.NOTHING, busiest=80_000, idle=1,
    loads=(80_000, 20_000, 0), counts=(3, 2, 0), unknown=(0, 1, 0), peak=0,
)  # fmt: skip
ROUND_ROBIN = StrategyColumn(
    key="roundrobin", label="Round robin", takes=Takes.SETTING, busiest=50_000, low=40_000,
    high=100_000, change=-0.375, moves=1_234, loads=(30_000, 50_000, 20_000), counts=(2, 2, 1),
    unknown=(0, 0, 1), peak=1, same=("Sticky",),
)  # fmt: skip
PICTURE = SideBySide(
    rows=tuple(ConsumerRow(label=name, full_id=f"consumer-{name}") for name in "abc"),
    columns=(NOW, ROUND_ROBIN),
    top=80_000,
    bound=40_000,
)


def test_all_bars_are_shares_of_one_scale() -> None:
    data = as_data(PICTURE)

    shares = [[cell["at"] for cell in column["cells"]] for column in data["columns"]]
    assert shares == [[1.0, 0.25, 0.0], [0.375, 0.625, 0.25]]
    assert data["bound"]["at"] == 0.5


def test_the_ranking_has_room_for_the_widest_range() -> None:
    now, then = as_data(PICTURE)["columns"]

    assert (now["busiest"]["at"], then["busiest"]["at"]) == (0.8, 0.5)
    assert (then["range"]["low"], then["range"]["high"]) == (0.4, 1.0)


def test_a_head_has_load_change_moves_range_and_what_it_takes() -> None:
    now, then = as_data(PICTURE)["columns"]

    assert (now["busiest"]["text"], now["idle"], now["change"], now["takes"]) == (
        "80.0 k", "1 idle", "", "",
    )  # fmt: skip
    assert (then["busiest"]["text"], then["change"], then["moves"], then["takes"]) == (
        "50.0 k", "−38 %", "1,234 moves", "setting",
    )  # fmt: skip
    assert then["range"]["text"] == "40.0–100 k"
    assert "Sticky" in then["same"]


def test_a_cell_says_idle_and_partly_unknown() -> None:
    cells = as_data(PICTURE)["columns"][0]["cells"]

    assert [cell["isIdle"] for cell in cells] == [False, False, True]
    assert [cell["isPartly"] for cell in cells] == [False, True, False]
    assert cells[1]["text"] == "20.0 k+"
    assert [cell["step"] for cell in cells] == [8, 2, 0]


def test_a_cell_is_as_dark_as_its_partitions_are_many_where_they_are_the_colour() -> None:
    counts = NOW.counts
    most = max(*counts, *ROUND_ROBIN.counts)

    data = as_data(PICTURE)

    steps = [cell["countStep"] for cell in data["columns"][0]["cells"]]
    assert data["most"] == f"{most:,}"
    assert steps == [9 * count // (most + 1) for count in counts]
    assert len({*steps}) > 1


def test_a_figure_from_before_an_edit_stands_beside_the_new_one() -> None:
    edited = replace(PICTURE, columns=(replace(NOW, was=70_000), replace(ROUND_ROBIN, was=50_000)))

    now, then = as_data(edited)["columns"]

    assert (now["was"], then["was"]) == ("was 70.0 k", "")


def test_all_is_json_with_many_consumers_too() -> None:
    others = Others(loads=(9, 4, 1), fewest=1, most=3, unknown=2)
    columns = tuple(replace(column, others=others) for column in PICTURE.columns)

    data = as_data(replace(PICTURE, columns=columns, hidden=488))

    assert json.loads(json.dumps(data)) == data
    assert data["hidden"] == "488 others"
    assert data["columns"][0]["others"]["text"] == "1–9"
    assert data["hasUnknown"]


def test_a_band_has_its_tone_its_words_and_its_buttons() -> None:
    buttons = (BandButton(key="copy", label="Copy", is_main=True, copies="<b>text</b>"),)
    band = VerdictBand(tone=Tone.RED, finding="3 of 8 stopped.", action="Restart.", buttons=buttons)

    data = band_data(band)

    assert data["tone"] == "red"
    assert data["buttons"] == [
        {"key": "copy", "label": "Copy", "isMain": True, "copies": "<b>text</b>", "hasLink": False}
    ]


def test_rates_share_a_scale_and_causes_are_marked() -> None:
    rows = (
        BarRow(label="w-2", full_id="w-2", upper=400, lower=0, is_cause=True),
        BarRow(label="w-1", full_id="w-1", upper=100, lower=200),
    )
    table = FactTable(
        title="Worst",
        heads=(TableHead(label="Partition"), TableHead(label="Reads/s", is_cause=True)),
        rows=(("t-0", "0"),),
        causes=(True,),
    )
    stacks = StackChart(
        title="Why",
        stacks=(RateStack(caption="It gets 150/s", parts=(StackPart(label="t-0", value=150),)),
                RateStack(caption="It reads", parts=(), limit=100)),
    )  # fmt: skip

    data = incident_data(
        IncidentPicture(chart=BarChart(subject="Consumer", rows=rows), beside=table)
    )
    stacked = incident_data(
        IncidentPicture(chart=BarChart(subject="Consumer", rows=rows), beside=stacks, below=table)
    )

    assert [(row["upper"], row["lower"], row["isCause"]) for row in data["chart"]["rows"]] == [
        (1.0, 0.0, True), (0.25, 0.5, False),
    ]  # fmt: skip
    assert data["beside"]["causes"] == [True]
    assert [stack["limit"] for stack in stacked["beside"]["stacks"]] == [None, 0.6667]
    assert stacked["below"]["rows"] == [["t-0", "0"]]


def test_the_strip_shows_the_last_snapshots_and_counts_those_before() -> None:
    marks = tuple(SnapshotMark(when=f"10:0{k}", behind=f"{k} M behind") for k in range(5))

    data = strip_data(SnapshotStrip(marks=marks, seconds=62))

    assert [mark["when"] for mark in data["marks"]] == ["10:02", "10:03", "10:04"]
    assert (data["left"], data["seconds"]) == (2, 62)


@pytest.mark.parametrize(
    ("band", "further_px"),
    [
        ({"finding": "a" * 32}, 0),
        ({"finding": "a" * 30 + " bc"}, 27),
        ({"evidence": "b"}, 25),
        ({"evidence": "b" * 44 + " cd"}, 48),
        ({"action": "c"}, 25),
        ({"evidence": "b", "action": "c"}, 50),
        ({"buttons": (BandButton(key="k", label="Switch"),)}, 54),
        (
            {"buttons": (BandButton(key="k", label="d" * 40), BandButton(key="l", label="e" * 40))},
            102,
        ),
    ],
)
def test_a_band_has_on_a_phone_the_lines_that_its_texts_take(
    band: dict[str, Any], further_px: int
) -> None:
    plain = VerdictBand(tone=Tone.RED, finding="a")

    assert _narrow_px(replace(plain, **band)) - _narrow_px(plain) == further_px
