"""The view "Partitions": who reads each, how far behind it is, and who would by strategy."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from assignors.model import Group
from evaluation.comparing.outcomes import NOW, Outcome
from evaluation.consumer_labels import labels_by_id
from evaluation.measuring.partition_times import PartitionTimes
from ui import downloads, widgets
from ui.compare.worst import Causes, are_causes
from ui.draft.tables import blank_unknown
from ui.lag_in_time import words

_LABELS = {
    "topic": "Topic",
    "partition": "Partition",
    "owner": "Owner",
    "host": "Host",
    "lag": "Lag",
    "arrives/s": "Arrives/s",
    "reads/s": "Reads/s",
    "behind": "Behind",
}


def partitions_view(
    group: Group,
    outcomes: Sequence[Outcome],
    times: PartitionTimes,
    hosts: Mapping[str, str],
    causes: Causes,
) -> None:
    """Show one row per partition, the worst first, with search and files."""
    table = partitions_frame(group, outcomes, times, hosts, causes)
    texts = [table["topic"] + "-" + table["partition"].astype(str)]
    texts += [table[name].astype(str) for name in table.columns if _is_of_owners(name, outcomes)]
    about = "≈ " if times.is_approximate else ""
    rows = downloads.searched(table, texts, "topic or consumer", "search", (group.id, "partitions"))
    widgets.table(
        rows.assign(behind=[times.age_in_cell(p) or words.NOTHING for p in rows.index])
        if "behind" in rows
        else rows,
        "Every partition with its owner, its lag and its rates, the worst first",
        labels=_LABELS,
        formats={"arrives/s": f"{about}%.2f", "reads/s": f"{about}%.2f"},
        pinned=("topic", "partition"),
        widths={"lag": 90, "partition": 80},
        ids=labels_by_id(group),
    )


def _is_of_owners(name: str, outcomes: Sequence[Outcome]) -> bool:
    return name == "owner" or name in {outcome.label for outcome in outcomes}


def partitions_frame(
    group: Group,
    outcomes: Sequence[Outcome],
    times: PartitionTimes,
    hosts: Mapping[str, str],
    causes: Causes,
) -> pd.DataFrame:
    """Return one row per partition: its owner now and under each strategy, host, lag, rates, age.

    Causes come first, then the longest behind where times are known, else the most records; what
    is unknown of every partition has no column.
    """
    names = np.array([*group.members, ""], dtype=object)  # UNOWNED, -1, is the last one
    where = np.array([*(hosts.get(name, "").strip("/") for name in group.members), ""], object)
    owners = group.present_owners
    columns: dict[str, object] = {
        "topic": np.array([*group.topics, ""], dtype=object)[group.topic_of_partition],
        "partition": group.number_in_topic,
        "owner": names[owners],
        "host": where[owners],
        "lag": blank_unknown(group.lags),
        "arrives/s": times.produced,
        "reads/s": times.consumed,
        "behind": times.age_s,
    }
    table = pd.DataFrame(columns | {o.label: names[o.owners] for o in outcomes if o.name != NOW})
    lacks = [name for name in ("arrives/s", "reads/s", "behind") if table[name].isna().all()]
    lacks += ["host"] if not (table["host"] != "").any() else []
    lacks += ["owner"] if not group.has_claims else []
    age_s = np.nan_to_num(times.age_s, nan=-1.0)
    order = np.lexsort((-group.counted_lags, -age_s, ~are_causes(group, causes)))
    return table.iloc[order].drop(columns=lacks)
