"""The obvious ways to do it: a loop over groups in pandas, and the same inside Spark.

``python -m benchmarks.fleet_pandas loop|spark INPUT OUTPUT``. Both give no more than the
largest, the mean and the spread for range, round robin and the owners found; no rates, no
moves, no bounds, nothing but the summary.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.session import open_session

_UNIT: Final = ["cluster", "group_id", "snapshot_at"]
_FOUND: Final = (
    "cluster string, group_id string, snapshot_at timestamp, strategy string,"
    " max_lag long, mean_lag double, count_spread int, idle_members int"
)
_TASKS: Final = 16


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the figures of one snapshot of one group, a row a strategy."""
    rows = rows.sort_values(["topic", "partition"])
    members = np.sort(rows["member_id"].dropna().unique())
    known = rows[rows["topic"].notna()]
    lag = (known["log_end_offset"] - known["committed_offset"]).clip(lower=0).fillna(0).to_numpy()
    unit = known[_UNIT].iloc[0].to_dict()
    figures = []
    for name, owner in _owners(known, members):
        counts = np.bincount(owner[owner >= 0], minlength=members.size)
        lags = np.bincount(owner[owner >= 0], lag[owner >= 0], members.size)
        figures.append(
            unit
            | {
                "strategy": name,
                "max_lag": int(lags.max()),
                "mean_lag": lags.mean(),
                "count_spread": int(np.ptp(counts)),
                "idle_members": int((counts == 0).sum()),
            }
        )
    return pd.DataFrame(figures)


def _owners(
    rows: pd.DataFrame, members: npt.NDArray[np.object_]
) -> Iterator[tuple[str, npt.NDArray[np.int64]]]:
    count = members.size
    yield "as-it-was", pd.Categorical(rows["member_id"], members).codes.astype(np.int64)
    yield "roundrobin", np.arange(len(rows)) % count
    number = rows["partition"].to_numpy().astype(np.int64)
    size = rows.groupby("topic")["partition"].transform("size").to_numpy()
    least, extra = np.divmod(size, count)
    wide = extra * (least + 1)
    beyond = extra + (number - wide) // np.maximum(least, 1)
    yield "range", np.where(number < wide, number // (least + 1), beyond)


def loop(source: str, target: str) -> None:
    """Go through the groups one by one."""
    rows = pd.read_parquet(source)
    found = [summary(group) for _, group in rows.groupby(_UNIT, sort=False)]
    pd.concat(found).to_parquet(target)


def spark(source: str, target: str) -> None:
    """Let Spark go through the groups, each as a data frame of its own."""
    session = open_session("local[2]")
    session.conf.set("spark.sql.shuffle.partitions", _TASKS)
    rows = session.read.parquet(source)
    rows.groupBy(*_UNIT).applyInPandas(summary, _FOUND).write.mode("overwrite").parquet(target)
    session.stop()


if __name__ == "__main__":
    how, source, target = sys.argv[1:]
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    {"loop": loop, "spark": spark}[how](source, target)
