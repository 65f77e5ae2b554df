"""The Fleet page ranks any window itself: over everything, it must come out as the pipeline."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pipeline.recommendation import ranked, recommended
from schemas.arrow import arrow_schema
from schemas.tables import AS_IT_WAS, GROUP_SUMMARY
from sources.fleet import open_fleet
from sources.fleet_place import place_of
from sources.fleet_ranking import ranking
from sources.fleet_scope import Scope
from sources.fleet_totals import present
from tests.fleets import TIMES, write

STRATEGIES = ("range", "roundrobin", "sticky")
GROUPS, SNAPSHOTS = 60, 5


def rows() -> Iterator[dict[str, Any]]:
    """Yield summaries with few different figures, so that everything is equal to something."""
    random = np.random.default_rng(7)
    for group in range(GROUPS):
        members, unowned = int(random.integers(0, 3)), int(random.integers(0, 3))
        scale = int(random.choice([0, 1, 50, 10_000]))
        for k in range(SNAPSHOTS):
            best = scale * int(random.integers(1, 3))
            for strategy in (AS_IT_WAS, *STRATEGIES):
                is_present, is_known = strategy == AS_IT_WAS, random.random() > 0.05
                yield {
                    "cluster": f"c{group % 2}",
                    "group_id": f"g{group}",
                    "snapshot_at": TIMES[0] + timedelta(minutes=k),
                    "strategy": strategy,
                    "topics": 1,
                    "partitions": 4 + k,
                    "members": members,
                    "total_lag": 3 * best,
                    "unknown_lags": 0,
                    "max_lag": best + scale * int(random.integers(0, 2)) if is_known else None,
                    "max_over_mean_lag": float(random.integers(1, 4)) if is_known else None,
                    "max_partitions": 4,
                    "count_spread": 1,
                    "idle_members": int(random.integers(0, 2)),
                    "unowned": int(random.integers(0, unowned + 1)) if is_present else 0,
                    "moved_from_present": None if is_present else int(random.integers(0, 2)),
                    "moved_from_previous": None if k == 0 else int(random.integers(0, 2)),
                    "best_max_lag": best,
                }


def test_the_page_ranks_as_the_pipeline_does(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", {"group_summary": list(rows())})
    summary = pa.Table.from_pylist(list(rows()), arrow_schema(GROUP_SUMMARY))
    scope = Scope(since=TIMES[0])  # named, so that the page works it out itself
    fleet = open_fleet(place_of(folder))

    expected = ranked(recommended(summary, STRATEGIES)).to_pandas()
    found = ranking(fleet, scope, present(fleet, scope))

    assert len(set(expected["reason"])) >= 6
    for column in expected.columns:
        pd.testing.assert_series_equal(found[column], expected[column], check_dtype=False)
