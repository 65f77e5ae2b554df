from datetime import timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest
from deltalake import DeltaTable

from assignors.catalogue import strategies
from assignors.model import Group
from evaluation.advice import Advice
from evaluation.compare import compare
from evaluation.load import Load
from schemas.tables import AS_IT_WAS
from tests.fleets import recommendation
from tests.said import lacks
from ui.fleet.words import (
    conclusion,
    drawn_words,
    group_words,
    in_compare,
    ranking_age,
    settable_among,
    setting_words,
    why,
)


def ranking(*rows: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(rows)


def row(strategy: str = "range", before: float = 900.0, **changed: float | str) -> "pd.Series[Any]":
    after = before if strategy == AS_IT_WAS else before / 3
    return pd.Series({**recommendation(1, "c", "g_1", strategy, before, after), **changed})


def test_the_conclusion_says_how_much_where_and_by_what() -> None:
    table = ranking(
        recommendation(1, "prod", "orders", "roundrobin", 900.0, 300.0),
        recommendation(2, "prod", "mails", "range", 400.0, 300.0),
        recommendation(3, "prod", "audit", AS_IT_WAS, 100.0, 100.0),
    )

    said = conclusion(table)

    assert "**2 of 3 groups would gain from another strategy**" in said
    assert lacks(said, "700 records less", "busiest", "50\N{NO-BREAK SPACE}%") == []
    assert "Half of that is in 1 group. The largest gain is in **orders** (prod): under" in said
    assert "under **Round robin**, its busiest consumer goes from 900 to 300 records." in said


def test_the_column_of_reasons_shows_each_of_the_sample_s_whole() -> None:
    table = DeltaTable("sample_data/fleet/tables/recommendation").to_pandas()

    longest = max((why(row) for _, row in table.iterrows()), key=len)

    assert len(longest) <= 102, longest  # what 580 pixels hold


def test_gains_under_uniform_are_said_to_be_one_draw() -> None:
    rows = [
        recommendation(1, "prod", "orders", "uniform", 900.0, 300.0),
        recommendation(2, "prod", "mails", "range", 90.0, 30.0),
        recommendation(3, "prod", "audit", "uniform", 50.0, 50.0),
    ]

    assert "1 group would gain under Uniform" in drawn_words(ranking(*rows))
    assert not drawn_words(ranking(*rows[1:]))
    assert not drawn_words(None)


def test_a_stream_s_ranking_says_its_age() -> None:
    table = ranking(recommendation(1, "prod", "orders", "roundrobin", 900.0, 300.0))
    end = table["window_end"].max()

    later = ranking_age(table, end + timedelta(minutes=47))

    assert lacks(later, "47 min older", "once an hour") == []
    assert not ranking_age(table, end)
    assert not ranking_age(table.iloc[:0], None)


def test_what_a_setting_brings_is_told_from_what_custom_assignors_bring() -> None:
    # By settings 100 of 1,000 records, in one group; with custom assignors 370, in both.
    best = ranking(
        recommendation(1, "c", "a", "lag-sticky", 600.0, 330.0),
        recommendation(2, "c", "b", "roundrobin", 400.0, 300.0),
    )
    by_setting = ranking(
        recommendation(1, "c", "b", "roundrobin", 400.0, 300.0),
        recommendation(2, "c", "a", AS_IT_WAS, 600.0, 600.0),
    )

    said = conclusion(best, by_setting).replace("\N{NO-BREAK SPACE}", " ")

    assert "**1 of 2 groups would gain from another setting**: 100 records less lag" in said
    assert "10 % of the lag" in said
    assert said.endswith("With custom assignors too, 2 would gain: 370 records less, 37 %.")
    assert settable_among(["lag-sticky", "roundrobin", "gone"]) == ["roundrobin"]


def test_a_group_that_no_setting_helps_or_of_unknown_gain_says_so() -> None:
    unknown = row("range", gain_share=np.nan)

    assert [setting_words(each) for each in (row(), row(AS_IT_WAS), unknown)] == [
        *("67 %: Range", "none gains", "unknown")
    ]


def test_where_compare_names_another_strategy_what_each_judges_stands_beside_it() -> None:
    group = Group.fresh({"t": 4}, ["a", "b"])
    (outcome,) = compare(group, [strategies()["range"]])
    advice = Advice(now=None, settable=outcome, custom=None, load=Load())
    nothing = Advice(now=None, settable=None, custom=None, load=Load())

    same = in_compare("so.", advice, [row("range"), row("range")])
    other = in_compare("so.", advice, [row("range"), row("load-sticky", snapshots=24)])
    neither = in_compare("so.", nothing, [row(AS_IT_WAS)])

    assert same == neither
    assert lacks(same, "Compare", "this snapshot alone, by lag: so.") == []
    assert lacks(other, same, "differs from the replay ... lag over 24 snapshots") == []


def test_a_single_gaining_group_is_named() -> None:
    said = conclusion(ranking(recommendation(1, "prod", "a_b", "range", 900.0, 300.0)))

    assert said.endswith(
        "That group is **a\\_b** (prod): under **Range**, its busiest consumer goes from 900 to "
        "300 records."
    )


def test_where_nothing_is_gained_or_there_is_nothing_it_says_so() -> None:
    none = conclusion(ranking(recommendation(1, "c", "g", AS_IT_WAS, 5.0, 5.0)))

    assert "**No group would gain from another strategy**" in none
    assert "No group has a snapshot" in conclusion(
        ranking(recommendation(1, "c", "g", "range", 9.0, 3.0)).iloc[:0]
    )


def test_a_group_whose_gain_is_unknown_is_not_said_to_gain() -> None:
    table = ranking({**recommendation(1, "c", "g", "range", 9.0, 3.0), "gain_load": None})

    said = conclusion(table.astype({"gain_load": float}))
    assert "**No group would gain" in said
    assert said.endswith(" The gain of 1 group is unknown.")
    assert "so what switching gains is unknown. Under **Range**" in group_words(
        row(gain_load=float("nan"))
    )


def test_the_reason_is_the_figures_behind_it() -> None:
    said = why(row(reason="gains", largest_partition_share=0.6))

    assert said == (
        "busiest 2.50 → 1.25 \N{MULTIPLICATION SIGN} the mean; 1 of 3 idle; "
        "at best 60\N{NO-BREAK SPACE}% of all; 1 move (was 0)"
    )


def test_the_reasons_of_the_tables_for_no_gain_are_said_in_words() -> None:
    said = {
        reason: why(row(AS_IT_WAS, reason=reason, idle_members=0.0))
        for reason in ("no-lag", "at-best", "none-better", "unknown-lag", "no-members")
    }

    assert (
        said["at-best"]
        == "already the best possible; busiest 2.50 \N{MULTIPLICATION SIGN} the mean"
    )
    assert len({text.partition(";")[0] for text in said.values()}) == 5


def test_an_even_share_among_few_is_no_lag_that_cannot_be_shared_out() -> None:
    even = why(row(reason="gains", largest_partition_share=0.51, members=2))

    assert "at best" not in even


def test_unknown_figures_are_left_out() -> None:
    unknown: dict[str, Any] = dict.fromkeys(
        ("max_over_mean_as_it_was", "largest_partition_share", "idle_members", "moves"),
        float("nan"),
    )

    assert why(row(reason="unknown-lag", **unknown)) == "unknown lag"


@pytest.mark.parametrize("strategy", ["sticky", AS_IT_WAS])
def test_a_single_snapshot_shows_no_mean(strategy: str) -> None:
    assert ", mean over 12 snapshots" in group_words(row(strategy, snapshots=12))
    assert "mean" not in group_words(row(strategy, snapshots=1))


def test_a_groups_sentence_states_the_effect_of_switching() -> None:
    gains = group_words(row())
    nothing = group_words(row(AS_IT_WAS))
    unknown = group_words(row(AS_IT_WAS, max_load_as_it_was=float("nan")))

    assert "take its busiest consumer from 900 to 300 records, 67\N{NO-BREAK SPACE}% less" in gains
    assert "nothing to gain" in nothing
    assert "unknown lag, so nobody can tell" in unknown


HOSTILE = "[a](https://e.com) **b** :red[c] <b> $x$"


def test_names_and_strategies_of_the_tables_are_never_markdown() -> None:
    first = {**recommendation(1, HOSTILE, HOSTILE, HOSTILE, 900.0, 300.0), "members": 3}

    said = [
        conclusion(ranking(first)),
        group_words(pd.Series(first)),
        group_words(pd.Series({**first, "gain_load": None})),
    ]

    for text in said:
        assert "[a]" not in text.replace(r"\[a\]", "")
        assert "<b>" not in text
        assert ":red[" not in text
        assert " $x$" not in text
