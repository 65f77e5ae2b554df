"""Metrics under other names: a TOML file that says which metric and label means what.

[metrics]
committed = "team_group_offset"
end = "team_log_end"
[labels]
group = "app"
"""

import tomllib
from pathlib import Path
from typing import Final

from live.errors import PropertyError
from live.prometheus.exporters import Exporter, Labels, Meaning
from live.prometheus.keys import keys_in
from live.prometheus.quoting import is_label, is_metric

_MEANINGS: Final = {
    "committed": Meaning.COMMITTED,
    "end": Meaning.END,
    "begin": Meaning.BEGIN,
    "lag": Meaning.LAG,
    "members": Meaning.MEMBERS,
}
_NAME: Final = "the mapping"


def read_mapping(path: Path) -> Exporter:
    """Return the exporter that a file describes; labels it leaves out keep usual names.

    Raises PropertyError.
    """
    try:
        tree = tomllib.loads(path.read_text())
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or str(error).splitlines()[0][:200]
        message = f"{path} cannot be read as a mapping: {why}."
        raise PropertyError(message) from None
    sections = keys_in(tree, ("metrics", "labels"), str(path))
    metrics = keys_in(sections.get("metrics", {}), tuple(_MEANINGS), "[metrics]")
    labels = keys_in(sections.get("labels", {}), Labels._fields, "[labels]")
    for name, value in metrics.items():
        _check(is_metric(value), f"metrics.{name}", "a metric", value)
    for name, value in labels.items():
        _check(is_label(value), f"labels.{name}", "a label", value)
    exporter = Exporter(
        _NAME,
        {_MEANINGS[name]: (value,) for name, value in metrics.items()},
        Labels(**labels),
        has_owners="member" in labels or "client" in labels,
    )
    if not exporter.tells_offsets:
        message = f"{path}: [metrics] must name end, and committed or lag; found " + (
            f"{', '.join(metrics)}." if metrics else "none."
        )
        raise PropertyError(message)
    return exporter


def _check(is_right: bool, where: str, what: str, value: object) -> None:
    if not is_right:
        message = f"{where} must be the name of {what}, found {str(value)[:60]!r}."
        raise PropertyError(message)
