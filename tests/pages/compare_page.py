"""Helpers of the page tests for the Compare page: open, paste, edit, read."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from assignors.registry import STRATEGIES
from sources import samples
from tests.patience import PATIENCE_S
from ui.compare.assumptions import ASSUMED

ROOT: Final = Path(__file__).resolve().parents[2]
ALL: Final = tuple(strategy.label for strategy in STRATEGIES.values())
"""The labels in a link that compares every strategy."""
PASTE: Final = """
$ kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --group billing
GROUP    TOPIC     PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST       CLIENT-ID
billing  invoices  0          10              110             100  app-1-aa     /10.0.0.1  app-1
billing  invoices  1          50              52              2    app-1-aa     /10.0.0.1  app-1
billing  invoices  2          -               7               -    app-2-bb     /10.0.0.2  app-2
"""
UNEVEN: Final = "Orders with uneven lag"
"""The example whose figures the tests know by heart."""
EXAMPLES: Final = tuple(
    pytest.param(sample, id=sample.id, marks=pytest.mark.proof if sample.id == "large" else ())
    for sample in samples.SAMPLES
)
"""Every example, for a test of each; the large one takes as long as all others."""
_SIZE: Final = re.compile(
    r":small\[:gray\[(.*consumers?(?: unknown)? · .* topics? · .* partitions?.*)\]\]"
)


def opened(**link: str | Sequence[str]) -> AppTest:
    """Return the page opened by a link with these choices.

    Without a group among them it shows the example without rates, where lags alone decide.
    """
    if not {"example", "group"} & link.keys():
        link = {**link, "example": UNEVEN}
    return _visited(AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE_S), link)


def opened_from_menu(name: str, **link: str) -> AppTest:
    """Return a page opened from Compare, with these choices in its own link."""
    return _visited(opened().switch_page(f"pages/{name}.py"), link)


def opened_alone(name: str, **link: str | Sequence[str]) -> AppTest:
    """Return a page opened directly by its script, which is quicker than through the menu."""
    if not {"example", "group"} & link.keys():
        link = {**link, "example": UNEVEN}
    page = AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=PATIENCE_S)
    page.session_state["entered"] = True
    return _visited(page, link)


def _visited(page: AppTest, link: Mapping[str, str | Sequence[str]]) -> AppTest:
    for name, value in link.items():
        page.query_params[name] = value if isinstance(value, str) else list(value)
    page.run()
    assert not page.exception
    return page


def changing(page: AppTest) -> AppTest:
    """Return Group's page with what it assumes open to be changed, as its visitor opens it."""
    page.session_state[ASSUMED] = True
    page.run()
    assert not page.exception
    return page


def choose_way(page: AppTest, way: str) -> None:
    """Choose how to open a group, as the header's buttons do."""
    page.session_state["start"] = way
    page.run()


def paste(page: AppTest, text: str) -> None:
    """Open a paste as a user does."""
    choose_way(page, "Paste")
    page.text_area(key="pasted").set_value(text)
    button(page, "Read it").click().run()
    assert not page.exception


def typed(page: AppTest, row: int, column: str, text: str) -> None:
    """Type into a cell of the table on screen; rows count from 0."""
    operate(page, sheet(page), "set", [[sheet(page)["rows"][row][0], column, text]])


def add_row(page: AppTest, **texts: str) -> None:
    """Add a row in the line below the table, with texts by column."""
    operate(page, sheet(page), "add", [texts])


def delete_rows(page: AppTest, *rows: int) -> None:
    """Delete rows of the table on screen, which count from 0."""
    shown = sheet(page)["rows"]
    operate(page, sheet(page), "delete", [shown[row][0] for row in rows])


def sheet(page: AppTest) -> dict[str, Any]:
    """Return what the browser is told about the table on screen."""
    return _told(page, "sheet") | {"id": _element(page, "sheet").id}


def _element(page: AppTest, name: str) -> Any:  # noqa: ANN401 -- a message of Streamlit
    found = (element.proto for element in page.get("bidi_component"))
    return next(proto for proto in found if proto.component_name.endswith(name))


def _told(page: AppTest, name: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(_element(page, name).json)
    return told


def picture(page: AppTest) -> dict[str, Any]:
    """Return what the browser draws of the strategies."""
    return _told(page, "picture")


def alarm(page: AppTest) -> dict[str, Any]:
    """Return what the browser draws in an alarm."""
    return _told(page, "incident")


def copied_link(page: AppTest) -> str:
    """Return the link that *Copy link* puts on the clipboard; "" if none is offered."""
    sent = (each.proto for each in page.get("bidi_component"))
    told = (json.loads(each.json) for each in sent if each.component_name.endswith("copy"))
    return next((each["text"] for each in told if "group=" in each["text"]), "")


def columns(page: AppTest) -> dict[str, dict[str, Any]]:
    """Return the columns of the picture by the labels of their strategies, in order."""
    return {column["label"]: column for column in picture(page)["columns"]}


def loads(page: AppTest, label: str) -> dict[str, str]:
    """Return what the picture writes for each consumer under a strategy."""
    shown = picture(page)
    cells = columns(page)[label]["cells"]
    return {row["id"]: cell["text"] for row, cell in zip(shown["rows"], cells, strict=True)}


def cells(page: AppTest, column: str) -> list[str]:
    """Return the texts of a column of the table on screen."""
    shown = sheet(page)
    number = [each["name"] for each in shown["columns"]].index(column)
    return [texts[number] for _, _, texts in shown["rows"]]


def operate(page: AppTest, shown: dict[str, Any], kind: str, what: object) -> None:
    """Send an operation on this table as the browser does, and run the page."""
    states = page._tree.get_widget_states()
    state = states.widgets.add(id=shown["id"])
    number = shown["taken"] + 1 if shown["by"] == "test" else 1
    operations = [[number, shown["of"], kind, what]]
    state.json_value = json.dumps({"log": {"by": "test", "operations": operations}})
    page._run(states)
    assert not page.exception


def open_example(page: AppTest, sample_id: str) -> None:
    """Choose an example in the header."""
    title = next(sample.title for sample in samples.SAMPLES if sample.id == sample_id)
    choose_way(page, "Example")
    page.selectbox(key="example").set_value(title).run()
    assert not page.exception


def button(page: AppTest, label: str) -> Button:
    """Return the button with this label."""
    return next(found for found in page.button if found.label == label)


def figures(page: AppTest) -> pd.DataFrame:
    """Return the table of figures, one row per strategy, in the view that has it."""
    if page.session_state["view"] != "Consumers":
        page.session_state["view"] = "Consumers"
        page.run()
    tables = (table.value for table in page.dataframe)
    return next(table for table in tables if "Strategy" in table).set_index("Strategy")


def band(page: AppTest) -> dict[str, Any]:
    """Return what the browser is told about the verdict: tone, texts, buttons."""
    return _told(page, "verdict")


def listed(page: AppTest) -> list[dict[str, Any]]:
    """Return the rows of a fleet that the browser lists, the first first, each with its section."""
    sections = _told(page, "fleet_rows")["sections"]
    return [{**row, "section": each["title"]} for each in sections for row in each["rows"]]


def metrics(page: AppTest) -> dict[str, tuple[str, str]]:
    """Return the large figures of a page, each with the text below it."""
    return {metric.label: (metric.value, metric.delta) for metric in page.metric}


def drawings(page: AppTest) -> list[dict[str, Any]]:
    """Return what the browser gets of each small panel: drawing, and what its bars say."""
    sent = (each.proto for each in page.get("bidi_component"))
    return [json.loads(each.json) for each in sent if each.component_name.endswith("panel")]


def verdict(page: AppTest) -> str:
    """Return the verdict, its evidence and its action, as read; "" on a page without one."""
    sent = (each.proto for each in page.get("bidi_component"))
    if not any(proto.component_name.endswith("verdict") for proto in sent):
        return ""
    told = band(page)
    return " ".join(filter(None, (told["finding"], told["evidence"], told["action"])))


def matrix(page: AppTest) -> dict[str, Any]:
    """Return what the browser draws of the scenarios."""
    return _told(page, "matrix")


def press(page: AppTest, pressed: str | Mapping[str, Any], of: str = "verdict") -> None:
    """Press a button of the band, or of another component, as the browser does."""
    _trigger(page, of, "pressed", pressed)


def open_listed(page: AppTest, cluster: str, group: str) -> None:
    """Click on a group's name in a fleet's list, as the browser does."""
    _trigger(page, "fleet_rows", "opened", [cluster, group])


def _trigger(page: AppTest, of: str, event: str, value: object) -> None:
    element = _element(page, of)
    states = page._tree.get_widget_states()
    state = states.widgets.add(id=f"$$STREAMLIT_INTERNAL_KEY_{element.id}__events")
    state.json_trigger_value = json.dumps([{"event": event, "value": value}])
    page._run(states)
    assert not page.exception


def name(page: AppTest) -> str:
    """Return the group's name in the header."""
    return seen(page.header[0].value)


def size(page: AppTest) -> str:
    """Return the size of the group in the header."""
    found = (_SIZE.fullmatch(text.value.replace("\u00a0", " ")) for text in page.markdown)
    return next(match[1] for match in found if match)


def texts(page: AppTest) -> str:
    """Return all running text of the page as a reader sees it, the verdict first."""
    running = "\n".join(text.value for text in [*page.markdown, *page.caption])
    return f"{verdict(page)}\n{seen(running)}"


def drawn(page: AppTest, chart: int, axis: str) -> list[Any]:
    """Return the numbers on one axis of a chart's first trace, as sent to the browser."""
    found = json.loads(page.get("plotly_chart")[chart].proto.spec)["data"][0][axis]
    flat = np.frombuffer(base64.b64decode(found["bdata"]), found["dtype"])
    shape = [int(side) for side in found.get("shape", str(flat.size)).split(",")]
    numbers: list[Any] = flat.reshape(shape).tolist()
    return numbers


def seen(text: str) -> str:
    """Return escaped Markdown as displayed."""
    return text.replace("\\", "").replace("\u2060", "").replace("**", "")
