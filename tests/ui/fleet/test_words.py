from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from deltalake import DeltaTable

from evaluation.answering.actions import Action
from evaluation.answering.pool import settable_among
from evaluation.answering.verdicts import Verdict
from evaluation.comparing.worth import WORTH
from evaluation.verdict_kinds import VerdictKind
from schemas.tables import AS_IT_WAS
from sources.fleet.standing import Advice, Standing
from sources.fleet.states import State
from tests.fleets import ranked
from tests.said import figures_in, lacks
from ui.fleet.ranking import troubled_first
from ui.fleet.words import (
    gainers,
    group_words,
    in_trouble,
    kept_words,
    now,
    opening,
    setting_words,
    to_do,
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


ALARM = State(
    verdict=Verdict(kind=VerdictKind.STOPPED),
    action=Action.RESTART,
    strategy=None,
    runs=None,
    ends_s=np.nan,
    refused={},
    figures={"consumers": "[a](https://e.com)", "these": "these two"},
)


def standing(table: pd.DataFrame, states: dict[tuple[str, str], State]) -> Standing:
    return Standing(ranked=table, states=states, others=table.iloc[:0], has_settings=True)


def test_before_last_snapshots_are_looked_at_no_group_is_counted_as_helped_or_in_trouble() -> None:
    table = ranking(dict(row()), dict(row(AS_IT_WAS)))

    found = opening(replace(standing(table, {}), is_checked=False))

    assert (figures_in(found.finding), found.evidence, found.action) == (["2"], "", "")
    assert not found.is_alarm


def test_a_gain_is_unknown_where_partitions_had_no_owner() -> None:
    assert not lacks(group_words(row(gain_load=float("nan"))), "unknown", "Range")


def test_what_is_broken_comes_before_what_will_be() -> None:
    warned = replace(ALARM, verdict=Verdict(kind=VerdictKind.FULL))
    fine = replace(ALARM, verdict=Verdict(kind=VerdictKind.HEALTHY))

    found = in_trouble({("c", "full"): warned, ("c", "fine"): fine, ("c", "down"): ALARM})

    assert [key[1] for key, _ in found] == ["down", "full"]


def test_the_list_begins_with_the_group_to_start_with() -> None:
    table = ranking(
        ranked(1, "c", "gains", "load-sticky", 600.0, 330.0),
        ranked(2, "c", "less", "range", 0.0, 0.0),
        ranked(3, "c", "most", "range", 0.0, 0.0),
    )
    states = {("c", "most"): ALARM, ("c", "less"): ALARM}

    shown = troubled_first(table, standing(table, states))

    assert shown["group_id"].tolist() == ["most", "less", "gains"]


FINE = replace(ALARM, verdict=Verdict(kind=VerdictKind.UNEVEN), action=None)


def test_who_gains_by_a_setting_is_told_from_who_needs_a_jar_and_who_is_open_to_check() -> None:
    table = ranking(
        ranked(1, "c", "a", "load-sticky", 600.0, 330.0),
        ranked(2, "c", "b", "roundrobin", 400.0, 300.0),
        ranked(3, "c", "d", "range", 90.0, 30.0),
    )
    found = standing(table, {("c", "a"): FINE, ("c", "b"): FINE})

    groups = [each["group_id"].tolist() for each in gainers(found)]

    assert groups == [["b"], ["d"], ["a"]]
    assert settable_among(["lag-sticky", "roundrobin", "gone"]) == ["roundrobin"]


def test_what_to_do_is_told_from_the_advice_alone() -> None:
    switch = Advice(action=Action.SWITCH, strategy="roundrobin")

    told = [
        to_do(Advice(action=Action.RESTART), ALARM),
        to_do(switch, FINE),
        to_do(switch, replace(FINE, runs="roundrobin")),
        to_do(replace(switch, strategy="load-sticky"), FINE),
        to_do(replace(switch, is_checked=False), None),
        to_do(Advice(), None),
    ]

    assert told == [
        "Restart these two",
        "Switch to Round robin",
        "Let the group rebalance",
        "Switch to Load-sticky, with a jar",
        "Round robin: gain by one simulation; open to check",
        "",
    ]
    assert (now(ALARM), now(None)) == ("[a](https://e.com) stopped", "")


HOSTILE = "[a](https://e.com) **b** :red[c] <b> $x$"


def test_names_and_strategies_of_the_tables_are_never_markdown() -> None:
    first = {**ranked(1, HOSTILE, HOSTILE, HOSTILE, 900.0, 300.0), "members": 3}

    said = [
        " ".join(opening(standing(ranking(first), {(HOSTILE, HOSTILE): ALARM}))[:3]),
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


def test_the_largest_share_is_said_with_its_setting_unless_the_group_s_page_has_another() -> None:
    large = row(group_id="large", setting_gain_load=900.0, setting_gain_share=0.4)
    steep = row(group_id="steep", setting_gain_load=90.0, setting_gain_share=0.6)

    def said(strategy: str, kind: VerdictKind) -> str:
        state = State(
            verdict=Verdict(kind=kind),
            action=Action.SWITCH,
            strategy=strategy,
            runs=None,
            ends_s=np.nan,
            refused={},
            figures={},
        )
        found = Standing(
            ranked=ranking(dict(large), dict(steep)),
            states={("c", "large"): state, ("c", "steep"): state},
            others=pd.DataFrame({"kind": []}),
            has_settings=True,
        )
        return f"{opening(found).evidence} {opening(found).action}"

    agreed, other = said("range", VerdictKind.UNEVEN), said("sticky", VerdictKind.NEVER_CATCHES_UP)

    assert "60" in figures_in(agreed)
    assert lacks(agreed, "steep", "Range") == []
    assert lacks(other, "steep") == []
    assert lacks(other, "Range") == ["Range"]
