"""The fleet in sentences: what switching would gain, and why a group is where it is."""

from typing import Final

import numpy as np
import pandas as pd

from schemas.tables import AS_IT_WAS
from ui.fleet_scope import label_of
from ui.untrusted import verbatim
from ui.words import amount, plural

_HALF: Final = 0.5
_NOTHING: Final = {
    "no-members": "nobody to read it",
    "unknown-lag": "its lag is unknown",
    "unowned": "partitions nobody read weighed on nobody, so the gain is unknown",
    "no-lag": "no lag",
    "at-best": "no assignment is better",
    "none-better": "no strategy does better",
}
"""Why there is nothing to gain, or nothing known of it, by the reasons of the tables."""
_LARGE: Final = 0.2
_BEYOND_EVEN: Final = 1.5
"""A best possible maximum of a fifth of the lag and half more than an even share is told."""


def conclusion(ranking: pd.DataFrame) -> str:
    """Return what switching would gain over all groups, and where most of it lies."""
    gainers = ranking[ranking["gain_lag"] > 0]
    if not len(ranking):
        return "There is no group in these tables, for this cluster and time."
    if gainers.empty:
        return (
            f"**No group would gain by another strategy**: none of {plural(len(ranking), 'group')} "
            "has a fuller consumer than it would have under the others."
        )
    gain = float(gainers["gain_lag"].sum())
    before = float(ranking["max_lag_as_it_was"].sum())
    return (
        f"**{len(gainers):,} of {plural(len(ranking), 'group')} would gain by another strategy**: "
        f"their fullest consumers would have {amount(round(gain))} records less in all, "
        f"{percent(gain / before)} of what the fleet's fullest have. {_where(gainers, gain)}"
    )


def _where(gainers: pd.DataFrame, gain: float) -> str:
    """Say in how few groups half of the gain lies, and what it would take in the first."""
    first = gainers.iloc[0]
    few = int(np.searchsorted(gainers["gain_lag"].cumsum().to_numpy(), _HALF * gain)) + 1
    name = f"**{verbatim(first['group_id'])}** ({verbatim(first['cluster'])})"
    change = (
        f"whose fullest would go from {amount(round(first['max_lag_as_it_was']))} to "
        f"{amount(round(first['max_lag']))} under **{label_of(first['strategy'])}**."
    )
    if len(gainers) == 1:
        return f"It is {name}, {change}"
    return f"Half of that lies in {plural(few, 'group')}; most in {name}, {change}"


def why(row: pd.Series) -> str:
    """Return the figures behind a group's place in the ranking, as one line."""
    parts = [_NOTHING.get(row["reason"], ""), _evenness(row)]
    idle = row["idle_members"]
    if pd.notna(idle) and idle > 0:
        parts.append(f"{amount(round(float(idle), 1))} of {row['members']} idle")
    share = row["largest_partition_share"]
    if pd.notna(share) and share >= max(_LARGE, _BEYOND_EVEN / max(int(row["members"]), 1)):
        parts.append(f"at best one has {percent(share)} of the lag")
    if row["strategy"] != AS_IT_WAS and pd.notna(row["moves"]):
        parts.append(_moves(row))
    return "; ".join(filter(None, parts))


def _evenness(row: pd.Series) -> str:
    now, then = row["max_over_mean_as_it_was"], row["max_over_mean"]
    if pd.isna(now):
        return ""
    if row["strategy"] == AS_IT_WAS or pd.isna(then):
        return f"fullest/mean {now:.2f}"
    return f"fullest/mean {now:.2f} → {then:.2f}"


def _moves(row: pd.Series) -> str:
    moved = float(row["moves"])
    before = row["moves_as_it_was"]
    count = amount(round(moved, 1))
    text = f"{count} move{'' if count == '1' else 's'} a snapshot"
    return text if pd.isna(before) else f"{text} ({amount(round(float(before), 1))} before)"


def strategy_label(name: str) -> str:
    """Return a strategy as the ranking shows it.

    >>> strategy_label("as-it-was"), strategy_label("roundrobin")
    ('as it was', 'Round robin')
    """
    return "as it was" if name == AS_IT_WAS else label_of(name)


def percent(share: float) -> str:
    """Return a share as people read it, its sign never on the next line."""
    return f"{share:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def _mean_over(row: pd.Series) -> str:
    """Say over how many snapshots figures are means, if there are several."""
    return (
        "" if row["snapshots"] == 1 else f", mean over {plural(int(row['snapshots']), 'snapshot')}"
    )


def group_words(row: pd.Series) -> str:
    """Return what switching would do for one group."""
    name = f"**{verbatim(row['group_id'])}** ({verbatim(row['cluster'])})"
    size = (
        f"{plural(int(row['members']), 'consumer')}, {plural(int(row['partitions']), 'partition')}"
    )
    now = row["max_lag_as_it_was"]
    if pd.isna(now):
        return f"{name}, {size}: its lag is unknown, and so is the strategy that serves it best."
    if row["strategy"] == AS_IT_WAS:
        return (
            f"{name}, {size}: nothing to gain. Its fullest consumer has {amount(round(now))} "
            f"records{_mean_over(row)}, and no strategy "
            "brings that down by one in a hundred."
        )
    then, best = row["max_lag"], row["best_max_lag"]
    if pd.isna(row["gain_lag"]):
        return (
            f"{name}, {size}: nobody read some of its partitions, so what switching gains is not "
            f"known. **{label_of(row['strategy'])}** would give its fullest consumer "
            f"{amount(round(then))} records."
        )
    least = "" if pd.isna(best) else f"; the best possible is {amount(round(best))}"
    return (
        f"{name}, {size}: **{label_of(row['strategy'])}** would take its fullest consumer from "
        f"{amount(round(now))} to {amount(round(then))} records, {percent(row['gain_share'])} "
        f"less{_mean_over(row)}{least}. It ranks "
        f"{int(row['rank']):,}."
    )
