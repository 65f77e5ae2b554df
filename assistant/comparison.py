"""An answer's strategies, as an assistant compares them."""

from collections.abc import Sequence

from assignors.strategy import Strategy
from assistant import answers
from evaluation.answering.answer import Answer
from evaluation.answering.why_not_words import why_not_words
from evaluation.answering.words import words_of
from evaluation.comparing.outcomes import Outcome
from evaluation.comparing.outlook import range_of
from evaluation.explain.reasons import reason_for
from evaluation.releases import holds_for
from evaluation.takes import takes_of


def compared(found: Answer, wanted: Sequence[Strategy]) -> answers.StrategiesCompared:
    """Return an answer's outcomes of these strategies; none where the text predicts nothing."""
    group, now, runs = found.group, found.now, found.running.strategy
    return answers.StrategiesCompared(
        group=found.given.name,
        consumers=group.member_count,
        partitions=group.partition_count,
        judged_by=found.load.noun,
        running=runs.name if runs else None,
        now=None if now is None else _outcome(found, now),
        lower_bound=found.bound,
        outcomes=[
            _outcome(found, found.outcomes[each.name])
            for each in wanted
            if each.name in found.outcomes
        ],
        verdict=found.verdict.kind.value,
        proposal=words_of(found).action or None,
        proposed_strategy=_proposed_strategy(found),
    )


def _proposed_strategy(found: Answer) -> str | None:
    strategy = None if found.proposal is None else found.proposal.strategy
    return None if strategy is None else strategy.name


def _outcome(found: Answer, outcome: Outcome) -> answers.StrategyOutcome:
    drawn, strategy, load = outcome.outlook, outcome.strategy, found.load
    least, most = range_of(load.drawn(drawn)) if drawn else (None, None)
    low, high = range_of(drawn.max_lags) if drawn else (None, None)
    is_lag_known = outcome.figures.max_lag is not None
    expected_at = "after a switch" if drawn else "next rebalance"
    option = None if strategy is None else found.option_for(strategy)
    return answers.StrategyOutcome(
        strategy=outcome.name,
        label=outcome.label,
        takes=takes_of(strategy).value,
        expected=expected_at if strategy else "now",
        busiest_load=load.of(outcome),
        busiest_load_from=least,
        busiest_load_to=most,
        busiest_lag=outcome.figures.max_lag,
        busiest_lag_from=low if is_lag_known else None,
        busiest_lag_to=high if is_lag_known else None,
        busiest_partitions=outcome.figures.max_count,
        moved=outcome.figures.moved,
        idle_consumers=outcome.figures.idle,
        certainty=outcome.certainty.text,
        holds_for=holds_for([strategy]) if strategy else "",
        why=reason_for(found.group, outcome, load.measure),
        why_not=None if option is None else why_not_words(option, found) or None,
    )
