from typing import Any

import numpy as np
import pandas as pd
import pytest
from deltalake import DeltaTable

from evaluation.comparing.worth import WORTH
from schemas.tables import AS_IT_WAS
from tests.fleets import ranked
from tests.said import figures_in, lacks
from ui.fleet.words import (
    group_words,
    kept_words,
    setting_words,
    why,
)


def ranking(*rows: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(rows)


def row(strategy: str = "range", before: float = 900.0, **changed: float | str) -> "pd.Series[Any]":
    after = before if strategy == AS_IT_WAS else before / 3
    return pd.Series({**ranked(1, "c", "g_1", strategy, before, after), **changed})


def test_the_column_of_reasons_shows_each_of_the_sample_s_whole() -> None:
    table = DeltaTable("sample_data/fleet/tables/recommendation").to_pandas()

    longest = max((why(row) for _, row in table.iterrows()), key=len)

    assert len(longest) <= 102, longest  # what 580 pixels hold


def test_a_group_that_no_setting_helps_or_of_unknown_gain_says_so() -> None:
    unknown = row("range", setting_gain_share=np.nan)

    assert [setting_words(each) for each in (row(), row(AS_IT_WAS), unknown)] == [
        *("67 %: Range", "none gains", "unknown")
    ]


def test_the_reason_is_the_figures_behind_it() -> None:
    said = why(row(reason="gains", largest_partition_share=0.6))

    assert figures_in(said) == ["2.50", "1.25", "1", "3", "60", "1", "0"]


def test_the_reasons_of_the_tables_for_no_gain_are_said_in_words() -> None:
    said = {
        reason: why(row(AS_IT_WAS, reason=reason, idle_members=0.0))
        for reason in ("no-lag", "at-best", "none-better", "unknown-lag", "no-members")
    }

    assert figures_in(said["at-best"]) == ["2.50"]
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
    assert not lacks(group_words(row(strategy, snapshots=12)), "12 snapshots")
    assert "mean" not in group_words(row(strategy, snapshots=1))


def test_a_groups_sentence_states_the_effect_of_switching() -> None:
    gains = group_words(row())
    nothing = group_words(row(AS_IT_WAS))
    unknown = group_words(row(AS_IT_WAS, max_load_as_it_was=float("nan")))

    assert not lacks(gains, "900", "300 records", "67\xa0%")
    assert "nothing to gain" in nothing
    assert not lacks(unknown, "unknown", "nobody")


def test_a_gain_is_unknown_where_partitions_had_no_owner() -> None:
    assert not lacks(group_words(row(gain_load=float("nan"))), "unknown", "Range")


HOSTILE = "[a](https://e.com) **b** :red[c] <b> $x$"


def test_names_and_strategies_of_the_tables_are_never_markdown() -> None:
    first = {**ranked(1, HOSTILE, HOSTILE, HOSTILE, 900.0, 300.0), "members": 3}

    said = [
        group_words(pd.Series(first)),
        group_words(pd.Series({**first, "gain_load": None})),
    ]

    for text in said:
        assert "[a]" not in text.replace(r"\[a\]", "")
        assert "<b>" not in text
        assert ":red[" not in text
        assert " $x$" not in text


def test_advice_held_where_the_second_half_gained_what_a_switch_is_worth() -> None:
    tested = pd.DataFrame(
        {
            "promised_share": [0.3, 0.3, 0.3, 0.3, None],
            "kept_share": [0.2, WORTH, WORTH / 2, -0.1, 0.4],
        }
    )

    assert "**2 of 4 groups**" in kept_words(tested)
    assert kept_words(tested[4:]) == ""
