"""The consumer groups of a Connect cluster's sinks: each opens from its connector."""

from typing import Final

import streamlit as st

from assignors.connect.cluster import ConnectCluster
from ui import readings, scenario
from ui.untrusted import verbatim

_PREFIX: Final = "connect-"
"""Before a sink's name, its tasks' consumers are a group of that name."""
_MOST: Final = 50


def show(cluster: ConnectCluster) -> None:
    """List the sinks whose groups can be opened here, and how the others are read."""
    from ui.connect import form  # noqa: PLC0415 -- Kafka's clients take 0.2 s to import

    read = {each.name: each for each in readings.last().readings}
    openers = {name: form.opener(f"{_PREFIX}{name}") for name in cluster.configured}
    names = [
        name
        for name in cluster.configured
        if name in cluster.sinks or openers[name] is not None or f"{_PREFIX}{name}" in read
    ]
    if not names:
        return
    with st.popover("Sinks", type="tertiary", help="Who reads what for a sink, and its lag"):
        for name in sorted(names)[:_MOST]:
            group, opener = f"{_PREFIX}{name}", openers[name]
            if group in read:
                if st.button(verbatim(group), key=f"sink_{name}", type="tertiary"):
                    scenario.show(group, read[group])
                    st.rerun()
            elif opener is not None:
                if st.button(verbatim(group), key=f"sink_{name}", type="tertiary"):
                    opener()
                    st.rerun()
            else:
                st.markdown(f":small[{verbatim(name)} is read by the group {verbatim(group)}:]")
                st.code(
                    "kafka-consumer-groups.sh --bootstrap-server HOST:9092 --describe --group "
                    f"{group}",
                    language="bash",
                    wrap_lines=True,
                )
