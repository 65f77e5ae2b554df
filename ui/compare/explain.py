"""The tab "Why": which strategy was used, and why each partition has its owner."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.catalogue import strategies
from assignors.model import UNOWNED, Group
from assignors.strategy import Strategy
from evaluation.consumer_labels import labels_of
from evaluation.explain.explainer import MOST_WALKED, Explanation
from evaluation.explain.matching import Agreement, Match
from evaluation.rebalance.switching import is_switch
from evaluation.takes import takes_of
from evaluation.wording import plural
from ui import cache, downloads, widgets
from ui.choices.number import NumberChoice
from ui.choices.option import OptionChoice
from ui.clients import client
from ui.untrusted import verbatim

_STRATEGY: Final = OptionChoice("explained")
_TOPIC: Final = OptionChoice("explained_topic")
_NUMBER: Final = NumberChoice("explained_partition")
_DECISION: Final = NumberChoice("decision")
_CONSUMER: Final = OptionChoice("explained_consumer")
_ALL: Final = "all consumers"
_NAMED: Final = 12
"""The most differing partitions named in a cell."""
_MOST_OF_ONE: Final = 200
"""The most partitions of one consumer to explain if the group is too large for all."""


def explain_view(group: Group, runs: Strategy | None) -> None:
    """Show the strategy behind the present owners, and the decisions of a chosen strategy.

    ``runs`` is the strategy that the group runs, if it is known.
    """
    st.subheader("Which strategy explains the present owners?")
    finding = cache.finding(group)
    if finding is None:
        st.caption(
            "Nobody owns anything now. Paste what kafka-consumer-groups.sh --describe prints, or "
            "fill in the owners beside the lags, to see which strategy is behind them."
        )
    else:
        _present(group, finding)
    st.subheader("Why does this consumer own this partition?")
    if not group.partition_count:
        st.info("There are no partitions to explain.")
        return
    with st.grid(3, min_column_width=220):
        strategy = _choose_strategy()
        partition = _choose_partition(group)
    if is_switch(group, runs, strategy):
        st.caption(
            f"With today's ids and owners, to show how {strategy.label} decides. A switch to it "
            "brings new ids, and what the pictures show."
        )
    one, all_ = st.columns(2, gap="large")
    with one:
        _steps_to(group, strategy, cache.explainer(group, strategy).explain(partition))
    with all_:
        _walk(group, strategy)
    _decisions(group, strategy)


def _present(group: Group, finding: Agreement) -> None:
    st.markdown(verbatim(finding.sentence))
    rows = [
        {
            "Strategy": match.strategy.label,
            "Takes": takes_of(match.strategy).value,
            "Started from": match.start.value,
            "Same owner": finding.judged - match.differing.size,
            "Share": 100 - 100 * match.differing.size / finding.judged,
            "Fits": _fit(match),
            "Partitions with another owner": _named(group, match),
        }
        for match in finding.matches
    ]
    table = pd.DataFrame(rows)
    widgets.table(
        table if table["Fits"].any() else table.drop(columns="Fits"),
        "How closely every strategy matches the present owners",
        {
            "Started from": "A strategy that starts from the present owners, and keeps them while "
            "counts are even, explains any even assignment.",
            "Same owner": f"Of {plural(finding.judged, 'partition')} owned now",
        },
        {"Share": "%.0f %%"},
    )


def _fit(match: Match) -> str:
    if match.is_exact:
        return "exactly"
    if match.is_same_split:
        return "same sets, other consumers"
    return f"possibly: {match.certainty.text}" if match.is_possible else ""


def _named(group: Group, match: Match) -> str:
    names = [group.partition_name(p) for p in match.differing[:_NAMED].tolist()]
    more = match.differing.size - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more else "")


def _choose_strategy() -> Strategy:
    names = [strategy.name for strategy in client().strategies]
    return strategies()[_STRATEGY.pick("Strategy", names, lambda name: strategies()[name].label)]


def _choose_partition(group: Group) -> int:
    topics = [topic for topic, size in enumerate(group.topic_sizes) if size]
    names = [group.topics[topic] for topic in topics]
    topic = topics[names.index(_TOPIC.pick("Topic", names))]
    size = int(group.topic_sizes[topic])
    number = _NUMBER.place(f"Partition, 0 to {size - 1:,}", 0, size - 1)
    return int(group.layout.topic_starts[topic]) + number


def _steps_to(group: Group, strategy: Strategy, explanation: Explanation) -> None:
    """Show one partition's owner and the steps that lead to it."""
    label = verbatim(strategy.label)
    partition = verbatim(group.partition_name(explanation.partition))
    owner = verbatim(_owner(group, explanation))
    owner = "Nobody" if explanation.owner == UNOWNED else f"**{owner}**"
    st.markdown(f"{owner} owns **{partition}** under {label}:")
    steps = enumerate(explanation.steps, 1)
    st.markdown("\n".join(f"{n}. **{step.rule}:** {verbatim(step.text)}" for n, step in steps))


def _owner(group: Group, explanation: Explanation) -> str:
    return (*labels_of(group), "nobody")[explanation.owner]  # UNOWNED, -1, is the last


def _walk(group: Group, strategy: Strategy) -> None:
    """Step through all decisions, with every consumer's partitions after each."""
    if group.partition_count > MOST_WALKED:
        st.caption(
            f"With more than {MOST_WALKED:,} partitions, one is explained at a time, or those of "
            "one consumer, below."
        )
        return
    walked = cache.walked(group, strategy)
    count = len(walked)
    number = _DECISION.slide("Step by step", 1, count, 1) if count > 1 else 1
    explanation = walked[number - 1]
    partition = verbatim(group.partition_name(explanation.partition))
    st.markdown(
        f"Decision {number:,} of {count:,}: **{partition}** "
        f"to **{verbatim(_owner(group, explanation))}**. {verbatim(explanation.decision)}"
    )
    _held_by_then(group, walked[:number], walked)


def _held_by_then(
    group: Group, so_far: Sequence[Explanation], walked: Sequence[Explanation]
) -> None:
    held = Counter(decision.owner for decision in so_far)
    in_the_end = Counter(decision.owner for decision in walked if decision.owner != UNOWNED)
    table = pd.DataFrame(
        {
            "Consumer": labels_of(group),
            "So far": [held[member] for member in range(group.member_count)],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        height=min(320, 36 * (len(table) + 1)),
        column_config={
            "So far": st.column_config.ProgressColumn(
                format="%d",
                min_value=0,
                max_value=max(in_the_end.values(), default=1),
                help="Partitions decided for this consumer so far",
            )
        },
        alt="Partitions of every consumer after this decision",
    )


def _decisions(group: Group, strategy: Strategy) -> None:
    """Show the decisive sentence for every partition, or for those of one consumer."""
    consumer = _CONSUMER.pick("Decisions about", [_ALL, *group.members])
    shown = _shown(group, strategy, consumer)
    if not shown:
        st.caption("Nothing to show: choose a consumer that owns partitions.")
        return
    names = (*labels_of(group), "")  # the last one: nobody
    rows = [
        {
            "#": number,
            "Partition": group.partition_name(explanation.partition),
            "Consumer": names[explanation.owner],
            "What decided": explanation.decision,
        }
        for number, explanation in shown
    ]
    table = pd.DataFrame(rows)
    widgets.table(
        table,
        "The sentence that decides about each partition",
        {"#": "Which decision of the strategy it is, where known"},
        pinned=(),
        widths={"#": 60, "Partition": 130, "Consumer": 150, "What decided": 900},
        placeholder="",
        row_height=widgets.WRAPPED,
    )
    downloads.offer(lambda: table, group.id, "decisions")


def _shown(group: Group, strategy: Strategy, consumer: str) -> list[tuple[int | None, Explanation]]:
    """Return the explanations to list, each with its position in the order of decisions."""
    member = None if consumer == _ALL else group.members.index(consumer)
    if group.partition_count <= MOST_WALKED:
        walked = enumerate(cache.walked(group, strategy), 1)
        return [
            (n, explanation) for n, explanation in walked if member in {None, explanation.owner}
        ]
    if member is None:
        return []
    owners = cache.answers(group, (strategy,))[0].owners
    partitions = np.flatnonzero(owners == member)[:_MOST_OF_ONE]
    explainer = cache.explainer(group, strategy)
    return [(None, explainer.explain(partition)) for partition in partitions.tolist()]
