"""Find the caveats of an answer: what it assumes, and what it leaves out."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from assignors.connect.cluster import ConnectCluster
from assignors.streams.application import StreamsApplication
from evaluation.answering.answer import Answer
from evaluation.answering.caveats import Caveat, CaveatFigures, CaveatKind, Weight
from evaluation.answering.verdict_figures import known_or_none
from evaluation.answering.why_not import WhyNot
from evaluation.assuming.assumed import SubscriptionSource, subscriptions_matter
from evaluation.assuming.clients import JAVA, several_clients
from evaluation.assuming.running import Origin
from evaluation.diagnosis.findings import TopicLeft
from evaluation.measuring.facts import Source
from evaluation.verdict_kinds import VerdictKind

_MAY_DECIDE: Final = 0.1
"""From this share of partitions with unknown lag on, they may change what is proposed."""
_OUTSIDE: Final = {VerdictKind.OUTSIDE_BEHIND, VerdictKind.READ_OUTSIDE}
"""The reader is a job without members, so that the speed of a consumer plays no part."""


def caveats_of(answer: Answer) -> tuple[Caveat, ...]:
    """Return the caveats, the weightiest first."""
    found = [
        *_on_the_text(answer),
        *_on_topics(answer),
        *_on_figures(answer),
        *_on_strategies(answer),
        *_on_placed_work(answer),
    ]
    return tuple(sorted(found, key=lambda caveat: -caveat.weight))


def _on_the_text(answer: Answer) -> Iterator[Caveat]:
    given, group = answer.given, answer.given.group
    assumed = given.assumed
    is_inferred = assumed.subscriptions in {
        SubscriptionSource.ALL_READ_ALL,
        SubscriptionSource.UNEQUAL_INFERRED,
    }
    if is_inferred and subscriptions_matter(group) and answer.outcomes:
        yield Caveat(
            kind=CaveatKind.SUBSCRIPTIONS,
            weight=Weight.PROPOSAL if assumed.alternatives else Weight.FIGURES,
            names=(assumed.subscriptions.name.lower(),),
            reason=assumed.why,
        )
    if assumed.client == given.client.name != JAVA.name:
        yield Caveat(
            kind=CaveatKind.CLIENT,
            weight=Weight.FIGURES,
            names=(assumed.client,),
            reason=assumed.client_why,
        )
    if answer.outcomes and (several := several_clients(group)):
        yield Caveat(
            kind=CaveatKind.SEVERAL_CLIENTS,
            weight=Weight.PROPOSAL,
            names=tuple(each.name for each in several),
        )
    if assumed.members_unknown and answer.outcomes:
        yield Caveat(kind=CaveatKind.UNKNOWN_MEMBERS, weight=Weight.PROPOSAL)
    unknown_owners = int(np.count_nonzero(group.is_owner_unknown))
    if unknown_owners and group.member_count:
        yield Caveat(
            kind=CaveatKind.UNKNOWN_OWNERS,
            weight=Weight.FIGURES,
            figures=CaveatFigures(partitions=float(unknown_owners)),
        )


def _on_topics(answer: Answer) -> Iterator[Caveat]:
    for finding in answer.findings:
        if isinstance(finding, TopicLeft) and answer.verdict.kind is not VerdictKind.TOPIC_UNREAD:
            yield Caveat(
                kind=CaveatKind.LEFT_TOPIC,
                weight=Weight.FIGURES,
                figures=CaveatFigures(lag_records=known_or_none(finding.lag)),
                names=finding.topics,
            )


def _on_figures(answer: Answer) -> Iterator[Caveat]:
    known, group, facts = answer.known, answer.group, answer.known.facts
    unknown = int(np.count_nonzero(~group.is_lag_known & facts.is_counted))
    wanted = int(np.count_nonzero(facts.is_counted))
    if unknown and (answer.load.by_weight or answer.verdict.figures.lag_records):
        may_decide = unknown >= _MAY_DECIDE * wanted
        yield Caveat(
            kind=CaveatKind.UNKNOWN_LAG,
            weight=Weight.PROPOSAL if may_decide else Weight.NOTE,
            figures=CaveatFigures(partitions=float(unknown), of_partitions=float(wanted)),
        )
    if known.history.is_undated or known.history.is_approximate:
        yield Caveat(kind=CaveatKind.UNDATED, weight=Weight.FIGURES)
    is_read_outside = answer.verdict.kind in _OUTSIDE  # at its own, seen rate
    is_speed_used = answer.verdict.figures.ends_s is not None and not is_read_outside
    if facts.speed.source is Source.GUESS and is_speed_used:
        yield Caveat(
            kind=CaveatKind.SPEED,
            weight=Weight.FIGURES,
            figures=CaveatFigures(records_per_s=facts.speed.records_s),
        )
    is_unread = ~facts.is_counted
    for finding in answer.findings:
        if isinstance(finding, TopicLeft):  # told by itself
            is_unread[list(finding.partitions)] = False
    if nobodys := int(np.count_nonzero(is_unread)):
        yield Caveat(
            kind=CaveatKind.UNSUBSCRIBED,
            weight=Weight.NOTE,
            figures=CaveatFigures(partitions=float(nobodys)),
        )


def _on_placed_work(answer: Answer) -> Iterator[Caveat]:
    group = None if answer.view is None else answer.view.group
    if isinstance(group, ConnectCluster) and not group.is_as_reported:
        yield Caveat(kind=CaveatKind.AS_LISTED, weight=Weight.PROPOSAL)
    if isinstance(group, StreamsApplication) and group.stateful and not group.knows_offsets:
        yield Caveat(kind=CaveatKind.COPIES_UNSEEN, weight=Weight.FIGURES)


def _on_strategies(answer: Answer) -> Iterator[Caveat]:
    running, proposal = answer.running, answer.proposal
    if answer.outcomes and answer.now is not None and running.origin is Origin.UNKNOWN:
        default = answer.given.client.default
        yield Caveat(kind=CaveatKind.RUNNING, weight=Weight.FIGURES, names=(default.name,))
    elif running.strategy is not None and running.origin in {Origin.INFERRED, Origin.PROTOCOL}:
        yield Caveat(
            kind=CaveatKind.RUNNING,
            weight=Weight.NOTE,
            names=(running.strategy.name, *(each.name for each in running.rivals)),
            reason=running.why,
        )
    elif running.strategy is not None and answer.given.assumed.misfits:
        yield Caveat(
            kind=CaveatKind.MISFIT,
            weight=Weight.PROPOSAL,
            figures=CaveatFigures(partitions=float(answer.given.assumed.misfits)),
            names=(running.strategy.name,),
        )
    drawn = [o.outlook for o in answer.outcomes.values() if o.outlook is not None]
    if any(option.low is not None for option in answer.strategies):
        yield Caveat(
            kind=CaveatKind.SIMULATED,
            weight=Weight.NOTE,
            figures=CaveatFigures(simulations=float(max(each.draws for each in drawn))),
        )
    if any(each.is_rough for each in drawn):
        yield Caveat(kind=CaveatKind.ROUGH, weight=Weight.FIGURES)
    if proposal is not None and proposal.stops_all and running.is_incremental:
        yield Caveat(
            kind=CaveatKind.STOPS_ALL,
            weight=Weight.PROPOSAL,
            names=(proposal.strategy.name,) if proposal.strategy else (),
        )
    for option in answer.strategies:
        if option.why_not is WhyNot.UNFOUNDED and option.is_gain and option.outcome is not None:
            yield Caveat(
                kind=CaveatKind.UNFOUNDED,
                weight=Weight.NOTE,
                names=(option.outcome.name,),
                reason=option.outcome.certainty.why,
            )
