"""Data quality of a run, in ``runs.quality``."""

import json
import platform
from collections import Counter
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final

from pipeline import __version__
from pipeline.replay.task import Outcome

_REPEATED: Final = "repeated row"


def quality(
    rejected: Mapping[str, int],
    outcome: Outcome,
    seconds: Mapping[str, float],
    before: str | None = None,
) -> str:
    """Return the JSON object that ``schemas.tables.RUNS`` describes.

    ``rejected`` are reasons and how many rows they are; ``before`` is what the run before said
    of a stream, which is added up.
    """
    known: dict[str, Any] = json.loads(before) if before else {}
    reasons = Counter({each["reason"]: each["rows"] for each in known.get("rejected", [])})
    reasons.update(rejected)
    reasons.update({_REPEATED: outcome.rows_rejected})
    return json.dumps(
        {
            "rejected": [
                {"reason": reason, "rows": rows}
                for reason, rows in sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
                if rows
            ],
            "offsets_backwards": known.get("offsets_backwards", 0) + outcome.offsets_backwards,
            "answers_missing": known.get("answers_missing", 0) + outcome.answers_missing,
            "failures": outcome.failures or known.get("failures", []),
            "seconds": dict(seconds),
            "software": {
                "kafka-assignments": __version__,
                "python": platform.python_version(),
                **{name: version(name) for name in ("pyspark", "deltalake", "numpy", "pyarrow")},
            },
        }
    )
