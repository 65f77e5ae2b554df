"""The fleet in sentences: the gain of switching, and the reason for a group's rank."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import numpy as np
import pandas as pd

from assignors.catalogue import strategies
from evaluation import wording
from evaluation.advice import Advice
from evaluation.clients import is_settable
from evaluation.judging import HORIZON_MIN, LAG, JudgeBy, Measure
from evaluation.metrics import REAL_GAIN
from evaluation.wording import amount, duration, plural
from schemas.tables import AS_IT_WAS
from sources.fleet.totals import Totals
from ui.untrusted import verbatim

_HALF: Final = 0.5
_NO_GAIN: Final = {
    "no-members": "no consumers",
    "unknown-lag": "unknown {noun}",
    "unowned": "some partitions had no owner, so the gain is unknown",
    "no-lag": "no {noun}",
    "at-best": "already the best possible",
    "none-better": "no better strategy",
}
"""Why the gain is zero or unknown, by the reason in the tables."""
_UNCOUNTED: Final = {JudgeBy.LAG, JudgeBy.WORK}
_MEANS: Final = {
    JudgeBy.WORK: f"lag and what arrives in {HORIZON_MIN:g} min",
    JudgeBy.RATE: "records that arrive",
}
_BY_IDS: Final = ("uniform", "uniform-kafka-18688")
NO_SNAPSHOT: Final = "No group has a snapshot in this cluster and time."
_LARGE: Final = 0.2
_BEYOND_EVEN: Final = 1.5
"""Mention the bound if it is half above an even share and at least a fifth of the lag."""


def settable_among(names: Sequence[str]) -> list[str]:
    """Return the strategies that a setting selects, without custom assignors."""
    return [name for name in names if name in strategies() and is_settable(strategies()[name])]


def conclusion(
    ranking: pd.DataFrame, by_setting: pd.DataFrame | None = None, measure: Measure = LAG
) -> str:
    """Return, in Markdown, the gain of switching over all groups and where most of it is.

    ``by_setting`` is the ranking among the strategies that a setting selects; where custom
    assignors bring more, both figures stand side by side. None if there are no such strategies.
    """
    if by_setting is None or not len(by_setting):
        return _conclusion(ranking, "another strategy", measure)
    more = _gain(ranking)
    if more <= _gain(by_setting):
        return _conclusion(by_setting, "another setting", measure)
    gainers = int((ranking["gain_load"] > 0).sum())
    share = percent(more / float(ranking["max_load_as_it_was"].sum()))
    return (
        f"{_conclusion(by_setting, 'another setting', measure)} With custom assignors too, "
        f"{gainers:,} would gain: {amount(round(more))} {measure.unit} less, {share}."
    )


def _gain(ranking: pd.DataFrame) -> float:
    return float(ranking["gain_load"].clip(lower=0).sum())


def less(measure: Measure) -> str:
    """Return "less lag", or what else becomes less."""
    return f"{'less' if measure.by in _UNCOUNTED else 'fewer'} {measure.noun}"


def _conclusion(ranking: pd.DataFrame, what: str, measure: Measure) -> str:
    gainers = ranking[ranking["gain_load"] > 0]
    if not len(ranking):
        return NO_SNAPSHOT
    unknown = int(ranking["gain_load"].isna().sum())
    rest = f" The gain of {plural(unknown, 'group')} is unknown." if unknown else ""
    if gainers.empty:
        return (
            f"**No group would gain from {what}**: none takes "
            f"{percent(REAL_GAIN)} or more of the {measure.noun} off any group's busiest "
            f"consumer.{rest}"
        )
    gain = float(gainers["gain_load"].sum())
    before = float(ranking["max_load_as_it_was"].sum())
    return (
        f"**{len(gainers):,} of {plural(len(ranking), 'group')} would gain from "
        f"{what}**: {amount(round(gain))} {_unit_less(measure)} on their busiest consumers, "
        f"{percent(gain / before)} of the {measure.noun} on the busiest consumers of all groups. "
        f"{_where(gainers, gain, measure)}{rest}"
    )


def unit(measure: Measure) -> str:
    """Return "records of lag", or the unit of what else judges."""
    return f"{measure.unit} of lag" if measure.by is JudgeBy.LAG else measure.unit


def _unit_less(measure: Measure) -> str:
    return f"{measure.unit} {less(measure) if measure.by is JudgeBy.LAG else 'less'}"


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
    kept = int((judged["kept_share"] >= REAL_GAIN).sum())
    promised, held = (percent(float(judged[n].median())) for n in ("promised_share", "kept_share"))
    return (
        f"Tested on the past: chosen on the first half of the snapshots, a switch gained in the "
        f"second half, too, for **{kept:,} of {plural(len(judged), 'group')}**: {promised} "
        f"{less(measure)} on the busiest consumer promised, {held} kept (medians)."
    )


def broken_promise(promised: float, kept: float) -> str:
    """Return that one group's advice did not keep; "" if it did, or had none, or is unknown.

    >>> broken_promise(0.3, -0.05), broken_promise(0.3, 0.25)
    ('tested: 30 % less, then 5 % more', '')
    """
    if pd.isna(promised) or pd.isna(kept) or kept >= REAL_GAIN:
        return ""
    then = "none" if kept >= 0 else f"{wording.percent(-kept)} more"
    return f"tested: {wording.percent(promised)} less, then {then}"


def drawn_words(by_setting: pd.DataFrame | None) -> str:
    """Return, in Markdown, for how many groups ids decide what a setting gains; "" if for none."""
    if by_setting is None:
        return ""
    gainers = by_setting[by_setting["gain_load"] > 0]
    count = int(gainers["strategy"].isin(_BY_IDS).sum())
    if not count:
        return ""
    return (
        f"{plural(count, 'group')} would gain under Uniform, which follows member ids, new after "
        "every restart: those gains are one draw of many, **One group** has the range."
    )


def judged_words(measure: Measure) -> str:
    """Return, in Markdown, what the tables judge by, and how to make them judge by what else."""
    counts = f" ({_MEANS[measure.by]})" if measure.by in _MEANS else ""
    other = "lag" if measure.by is JudgeBy.WORK else "work"
    return (
        f"Judged by {measure.noun}{counts}, as strategies by lag were; "
        f"`python -m pipeline replay --judge-by {other} --output FOLDER` changes that."
    )


def ranking_age(ranking: pd.DataFrame, last: datetime | None) -> str:
    """Return a sentence on how old a stream's ranking is; none if it is of the last snapshot."""
    end = ranking["window_end"].max()
    if last is None or pd.isna(end) or end >= last:
        return ""
    age = duration((last - end).total_seconds())
    return f"This ranking is {age} older than the last snapshot: a stream ranks once an hour."


def totals_words(totals: Totals, measure: Measure = LAG) -> str:
    """Return, in Markdown, the fleet's totals in one line, with bold figures."""
    unknown = totals.unknown_loads
    rest = f" (unknown for {plural(unknown, 'partition')})" if unknown else ""
    parts = [
        f"{_bold(totals.groups, 'group')} in {plural(totals.clusters, 'cluster')}",
        f"{_bold(totals.consumers, 'consumer')}, {totals.idle:,} idle",
        _bold(totals.partitions, "partition"),
    ]
    if measure.by is not JudgeBy.PARTITIONS:
        parts.append(f"**{amount(totals.load)}** {unit(measure)}{rest}")
    return " · ".join(parts)


def _bold(count: int, noun: str) -> str:
    return f"**{count:,}** {plural(count, noun).partition(' ')[2]}"


def _where(gainers: pd.DataFrame, gain: float, measure: Measure) -> str:
    """Return how few groups have half of the gain, and what switching does for the first."""
    first = gainers.iloc[0]
    few = int(np.searchsorted(gainers["gain_load"].cumsum().to_numpy(), _HALF * gain)) + 1
    change = (
        f"under **{verbatim(strategy_label(first['strategy']))}**, its busiest consumer goes from "
        f"{amount(round(first['max_load_as_it_was']))} to {amount(round(first['max_load']))} "
        f"{measure.unit}."
    )
    if len(gainers) == 1:
        return f"That group is {group_name(first)}: {change}"
    where = f"Half of that is in {plural(few, 'group')}. The largest gain is in {group_name(first)}"
    return f"{where}: {change}"


def group_words(row: pd.Series, measure: Measure = LAG) -> str:
    """Return, in Markdown, what switching would do for one group."""
    size = f"{_count(row, 'members', 'consumer')}, {_count(row, 'partitions', 'partition')}"
    name = f"{group_name(row)}, {size}"
    now, then, best = row["max_load_as_it_was"], row["max_load"], row["lower_bound"]
    if pd.isna(now):
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
        return (
            f"{name}: nothing to gain. Its busiest consumer has {amount(round(now))} {measure.unit}"
            f"{_mean_over(row)}, and no strategy lowers that by {percent(REAL_GAIN)} or more."
        )
    bound = "" if pd.isna(best) else f" The lower bound is {amount(round(best))}."
    return (
        f"{name}: {label} would take its busiest consumer from {amount(round(now))} to "
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

    >>> setting_words(pd.Series({"strategy": "sticky", "gain_share": 0.41}))
    '41 %: Sticky'
    """
    if pd.isna(row["gain_share"]):
        return "unknown"
    if row["strategy"] == AS_IT_WAS:
        return "none gains"
    return f"{wording.percent(row['gain_share'])}: {strategy_label(row['strategy'])}"


def _evenness(row: pd.Series) -> str:
    now, then = row["max_over_mean_as_it_was"], row["max_over_mean"]
    if pd.isna(now):
        return ""
    if row["strategy"] == AS_IT_WAS or pd.isna(then):
        return f"busiest {now:.2f} \N{MULTIPLICATION SIGN} the mean"
    return f"busiest {now:.2f} → {then:.2f} \N{MULTIPLICATION SIGN} the mean"


def _moves(row: pd.Series) -> str:
    count = amount(round(float(row["moves"]), 1))
    text = f"{count} move{'' if count == '1' else 's'}"
    before = row["moves_as_it_was"]
    return text if pd.isna(before) else f"{text} (was {amount(round(float(before), 1))})"


def in_compare(
    conclusion: str, advice: Advice, ranked: Sequence[pd.Series], measure: Measure = LAG
) -> str:
    """Return, in Markdown, Compare's conclusion on a group's snapshot beside what is ranked.

    ``ranked`` are the rows of the group, by a setting and by any strategy. If Compare names other
    strategies, what each is judged by follows.
    """
    named = {outcome.name for outcome in advice.recommended}
    said = f"Compare says of this snapshot alone, by {advice.load.noun}: {conclusion}"
    if named == {row["strategy"] for row in ranked} - {AS_IT_WAS}:
        return said
    count = int(ranked[-1]["snapshots"])
    over = f" over {plural(count, 'snapshot')}" if count > 1 else ""
    return (
        f"{said} It differs from the replay, which judges {measure.noun}{over} after a "
        "switch before the first one, by a single figure rather than by nine futures in ten."
    )


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
