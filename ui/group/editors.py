"""The editable tables, one at a time: topics, consumers, subscriptions, partitions."""

from typing import Final

import pandas as pd

from ui.choices.option import OptionChoice
from ui.draft.tables import CONSUMERS, PARTITIONS, SUBSCRIPTIONS, TOPICS
from ui.group import consumers, partitions, remarks, sheet, subscriptions
from ui.group.sheet import SheetColumn, SheetTable
from ui.header import undo_button
from ui.scenario import Scenario


def edit_tables(current: Scenario) -> None:
    """Show the chosen table; notices are below it, so that they do not move it."""
    table = OptionChoice("table").switch("Edit", list(_TABLES))
    consumers.count_buttons(current)
    _TABLES[table](current)
    undo_button(current)
    remarks.show(current)


def _topics(current: Scenario) -> None:
    rows = sheet.window(current.draft.topics, "topic")
    columns = (
        SheetColumn("topic", "Topic", width=160),
        SheetColumn("partitions", "Partitions", "number", width=90),
        SheetColumn(
            "racks",
            "Replica racks",
            about="The racks that hold replicas of each partition. Separate racks by commas and "
            "partitions by semicolons; a shorter list repeats: a,b; b,c; c,a",
        ),
    )
    table = SheetTable(
        name=TOPICS,
        alt="Topics with partition counts and replica racks, editable",
        columns=columns,
        rows=sheet.rows_of(rows, columns, pd.Series(rows["topic"])),
        adds="topic",
    )
    sheet.show(current, table)


_TABLES: Final = {
    TOPICS: _topics,
    CONSUMERS: consumers.show_table,
    SUBSCRIPTIONS: subscriptions.show_table,
    PARTITIONS: partitions.show_table,
}
