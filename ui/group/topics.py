"""The table of topics."""

import streamlit as st

from ui.group import edits
from ui.group.draft import Draft
from ui.group.grid import Edit, Table
from ui.group.grid import edited as edited_table
from ui.scenario import Scenario


def edited(current: Scenario) -> Scenario:
    """Show the topics; return the scenario after what was edited."""
    table = Table(
        name="topics",
        base=current.draft.topics,
        columns={
            "topic": st.column_config.TextColumn("Topic", required=True),
            "partitions": st.column_config.NumberColumn(
                "Partitions", min_value=0, step=1, default=1
            ),
            "racks": st.column_config.TextColumn(
                "Replica racks",
                help="The racks that hold replicas of each partition. Separate racks by commas "
                "and partitions by semicolons; a shorter list repeats: `a,b; b,c; c,a`",
            ),
        },
        about="The empty last row adds a topic.",
        alt="Topics with partition counts and replica racks, editable",
        names="topic",
    )
    return edited_table(current, table, _taken)


def _taken(draft: Draft, edit: Edit) -> Draft:
    """Return the draft with the edited topics; a new topic starts with one partition."""
    counts = edit.after["partitions"]
    is_blank = counts.isna() & edit.after.index.isin(edit.added)
    after = edit.after.assign(partitions=counts.mask(is_blank, 1)) if is_blank.any() else edit.after
    return edits.with_topics(draft, edit.before, after)
