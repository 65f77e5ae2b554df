"""Opens pages with the toy strategy chosen; prints as JSON what they show. A program.

With the argument ``failing`` it opens the Compare page alone.
"""

import json
import sys

import numpy as np

from assignors.catalogue import catalogue, strategy_called
from assignors.numbering import Member, Topic, group_of
from evaluation.comparing.outcomes import at_next_rebalance
from tests.installed.toy import LABEL, NAME
from tests.pages.compare_page import figures, opened, opened_alone, texts
from ui.workers import run


def main() -> None:
    """Print what the pages show."""
    shown = _with_failing() if sys.argv[1:] == ["failing"] else _with_toy()
    json.dump(shown, sys.stdout, default=int)


def _with_failing() -> dict[str, object]:
    page = opened(strategies=[LABEL, "Range"])
    warnings = [warning.value for warning in page.warning]
    return {"strategies": list(figures(page).index), "warnings": warnings}


def _with_toy() -> dict[str, object]:
    compared = opened(strategies=LABEL)
    explained = opened(view="Explain", explained=LABEL)
    replayed = opened_alone("rebalance", strategies=LABEL)
    planned = opened_alone("capacity", strategies=LABEL, throughput="290")
    described = opened_alone("strategies")
    large = group_of({"t": Topic(4)}, [Member("a", ["t"]), Member("b", ["t"])])
    (outcome,) = run(at_next_rebalance, large, [strategy_called(NAME)], check=lambda: None)
    needs = next(table.value for table in planned.dataframe if "Takes" in table.value)
    return {
        "compare": figures(compared).loc[LABEL, "Idle"],
        "why": texts(compared),
        "explain": texts(explained),
        "rebalance": texts(replayed),
        "capacity": list(needs["Strategy"]),
        "strategies": [title.value for title in described.subheader],
        "worker": np.asarray(outcome.owners).tolist(),
        "refused": catalogue().refused,
        "warnings": [warning.value for warning in described.warning],
    }


if __name__ == "__main__":
    main()
