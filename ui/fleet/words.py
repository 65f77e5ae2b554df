"""The fleet in sentences: the gain of switching, and the reason for a group's rank."""

from typing import Final

import pandas as pd

from assignors.catalogue import strategies
from evaluation import wording
from evaluation.comparing.worth import WORTH
from evaluation.judging import HORIZON_MIN, LAG, JudgeBy, Measure
from evaluation.wording import amount, plural
from schemas.tables import AS_IT_WAS
from sources.fleet.totals import Totals
from ui.untrusted import verbatim

_NO_GAIN: Final = {
    "no-members": "no consumers",
    "unknown-lag": "unknown {noun}",
    "owners-unknown": "the source tells no owners, so the gain is unknown",
    "unowned": "some partitions had no owner, so the gain is unknown",
    "no-lag": "no {noun}",
    "at-best": "already the best possible",
    "none-better": "no better strategy",
    "refused": "what gains is refused at the last snapshot",
}
"""Why the gain is zero or unknown, by the reason in the tables."""
_UNCOUNTED: Final = {JudgeBy.LAG, JudgeBy.WORK}
_MEANS: Final = {
    JudgeBy.WORK: f"lag and the arrivals of {HORIZON_MIN:g} min",
    JudgeBy.RATE: "records that arrive",
}
_LARGE: Final = 0.2
_BEYOND_EVEN: Final = 1.5
"""Mention the bound if it is half above an even share and at least a fifth of the lag."""


def less(measure: Measure) -> str:
    """Return "less lag", or what else becomes less."""
    return f"{'less' if measure.by in _UNCOUNTED else 'fewer'} {measure.noun}"


def unit(measure: Measure) -> str:
    """Return "records of lag", or the unit of what else judges."""
    is_amount = measure.by in _UNCOUNTED
    return f"records of {measure.noun}" if is_amount else measure.unit


def tested(ranking: pd.DataFrame) -> pd.DataFrame:
    """Return the groups whose advice of the first half of the snapshots the second half judges."""
    return ranking[ranking["promised_share"].notna() & ranking["kept_share"].notna()]


def kept_words(ranking: pd.DataFrame, measure: Measure = LAG) -> str:
    """Return, in Markdown, whether what the first half of the snapshots advised held in the second.

    "" if nothing was advised, or nothing can be judged.
    """
    judged = tested(ranking)
    if judged.empty:
        return ""
    kept = int((judged["kept_share"] >= WORTH).sum())
    promised, held = (percent(float(judged[n].median())) for n in ("promised_share", "kept_share"))
    return (
        f"Chosen on the first half of the snapshots, a switch gained in the second half, too, for "
        f"**{kept:,} of {plural(len(judged), 'group')}**. Medians over these groups: in the first "
        f"half {promised} {less(measure)} on the busiest consumer, in the second {held}."
    )


def broken_promise(promised: float, kept: float) -> str:
    """Return that one group's advice did not keep; "" if it did, or had none, or is unknown.

    >>> broken_promise(0.3, -0.05), broken_promise(0.3, 0.25)
    ('tested: 30 % less, then 5 % more', '')
    """
    if pd.isna(promised) or pd.isna(kept) or kept >= WORTH:
        return ""
    then = "none" if kept >= 0 else f"{wording.percent(-kept)} more"
    return f"tested: {wording.percent(promised)} less, then {then}"


def judged_words(measure: Measure) -> str:
    """Return, in Markdown, what the tables judge by, and how to make them judge by what else."""
    counts = f" ({_MEANS[measure.by]})" if measure.by in _MEANS else ""
    other = "lag" if measure.by is JudgeBy.WORK else "work"
    return (
        f"Judged by {measure.noun}{counts}, as strategies by lag were; "
        f"`python -m pipeline replay --judge-by {other} --output FOLDER` changes that."
    )


def totals_words(totals: Totals, measure: Measure = LAG) -> str:
    """Return, in Markdown, the fleet's totals in one line, with bold figures."""
    unknown = totals.unknown_loads
    rest = f" (unknown for {plural(unknown, 'partition')})" if unknown else ""
    parts = [
        f"{_bold(totals.groups, 'group')} in {plural(totals.clusters, 'cluster')}",
        f"{_bold(totals.consumers, 'consumer')}"
        + (", owners unknown" if totals.idle is None else f", {totals.idle:,} idle"),
        _bold(totals.partitions, "partition"),
    ]
    if measure.by is not JudgeBy.PARTITIONS:
        parts.append(f"**{amount(totals.load)}** {unit(measure)}{rest}")
    return " · ".join(parts)


def _bold(count: int, noun: str) -> str:
    return f"**{count:,}** {plural(count, noun).partition(' ')[2]}"


def group_words(row: pd.Series, measure: Measure = LAG) -> str:
    """Return, in Markdown, what switching would do for one group."""
    size = f"{_count(row, 'members', 'consumer')}, {_count(row, 'partitions', 'partition')}"
    name = f"{group_name(row)}, {size}"
    today, then, best = row["max_load_as_it_was"], row["max_load"], row["lower_bound"]
    if pd.isna(today):
        return f"{name}: unknown {measure.noun}, so nobody can tell which strategy is best."
    label = f"**{verbatim(strategy_label(row['strategy']))}**"
    if pd.isna(row["gain_load"]):
        why = f"{name}: some partitions had no owner, so what switching gains is unknown."
        if row["strategy"] == AS_IT_WAS:
            return why
        return (
            f"{why} Under {label}, its busiest consumer would have {amount(round(then))} "
            f"{measure.unit}."
        )
    if row["strategy"] == AS_IT_WAS:
        has = f"Its busiest consumer has {amount(round(today))} {measure.unit}{_mean_over(row)}"
        if row["reason"] == "refused":
            return f"{name}: nothing to propose. {has}; {_NO_GAIN['refused']}."
        return (
            f"{name}: nothing to gain. {has}, and no strategy lowers that by {percent(WORTH)} or "
            "more."
        )
    bound = "" if pd.isna(best) else f" The lower bound is {amount(round(best))}."
    return (
        f"{name}: {label} would take its busiest consumer from {amount(round(today))} to "
        f"{amount(round(then))} {measure.unit}, {percent(row['gain_share'])} less{_mean_over(row)}."
        f"{bound} Rank {int(row['rank']):,}."
    )


def why(row: pd.Series, measure: Measure = LAG) -> str:
    """Return the figures behind a group's rank, as one line of plain text."""
    parts = [_NO_GAIN.get(row["reason"], "").format(noun=measure.noun), _evenness(row)]
    idle = row["idle_members"]
    if pd.notna(idle) and idle > 0:
        parts.append(f"{amount(round(float(idle), 1))} of {row['members']} idle")
    parts.append(broken_promise(row["promised_share"], row["kept_share"]))
    share = row["largest_partition_share"]
    if pd.notna(share) and share >= max(_LARGE, _BEYOND_EVEN / max(int(row["members"]), 1)):
        parts.append(f"at best {percent(share)} of all")
    if row["strategy"] != AS_IT_WAS and pd.notna(row["moves"]):
        parts.append(_moves(row))
    return "; ".join(filter(None, parts))


def setting_words(row: pd.Series) -> str:
    """Return which of the strategies that a setting selects gains most, and its share.

    >>> setting_words(pd.Series({"setting": "sticky", "setting_gain_share": 0.41}))
    '41 %: Sticky'
    """
    if pd.isna(row["setting_gain_share"]):
        return "unknown"
    if row["setting"] == AS_IT_WAS:
        return "none gains"
    return f"{wording.percent(row['setting_gain_share'])}: {strategy_label(row['setting'])}"


def _evenness(row: pd.Series) -> str:
    before, then = row["max_over_mean_as_it_was"], row["max_over_mean"]
    if pd.isna(before):
        return ""
    if row["strategy"] == AS_IT_WAS or pd.isna(then):
        return f"busiest {before:.2f} \N{MULTIPLICATION SIGN} the mean"
    return f"busiest {before:.2f} → {then:.2f} \N{MULTIPLICATION SIGN} the mean"


def _moves(row: pd.Series) -> str:
    count = amount(round(float(row["moves"]), 1))
    text = f"{count} move{'' if count == '1' else 's'}"
    before = row["moves_as_it_was"]
    return text if pd.isna(before) else f"{text} (was {amount(round(float(before), 1))})"


def group_name(row: pd.Series) -> str:
    """Return, in Markdown, a group and its cluster."""
    return f"**{verbatim(row['group_id'])}** ({verbatim(row['cluster'])})"


def _count(row: pd.Series, column: str, noun: str) -> str:
    return plural(int(row[column]), noun)


def _mean_over(row: pd.Series) -> str:
    """Return the number of snapshots that figures are means over, if there are several."""
    count = int(row["snapshots"])
    return f", mean over {plural(count, 'snapshot')}" if count > 1 else ""


def strategy_label(name: str) -> str:
    """Return the label of a strategy, or its name if it is not registered.

    >>> strategy_label("as-it-was"), strategy_label("librdkafka-range"), strategy_label("ours")
    ('as it was', 'Range (librdkafka 2)', 'ours')
    """
    if name == AS_IT_WAS:
        return "as it was"
    return strategies()[name].label if name in strategies() else name


def percent(share: float) -> str:
    """Return a share in percent, with a non-breaking sign."""
    return wording.percent(share).replace(" ", "\N{NO-BREAK SPACE}")
