"""Compose the answer on a group, once, for every door."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from assignors.strategy import Strategy
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.cautions import caveats_of
from evaluation.answering.ending import all_keep_up
from evaluation.answering.engine import Engine, Plain, running_in
from evaluation.answering.given import Given, Knowledge, known_of
from evaluation.answering.options import Option, few_moves, option_of
from evaluation.answering.remedies import remedies
from evaluation.answering.rule import Circumstances, after_switches, decided, proposed
from evaluation.answering.seen import Seen
from evaluation.answering.verdict_of import causes_of, verdict_of
from evaluation.answering.why_not import Ground
from evaluation.assuming.running import Origin, Running
from evaluation.comparing.load import load_in
from evaluation.comparing.outcomes import Outcome, as_it_is_now
from evaluation.diagnosis.diagnose import diagnose
from evaluation.diagnosis.findings import (
    Finding,
    Hot,
    KeepsRebalancing,
    LagConcentrated,
    TakenOver,
    Uneven,
)
from evaluation.diagnosis.logged import told_by_logs

if TYPE_CHECKING:
    from evaluation.kinds.view import KindView

_PLAIN: Final = Plain()
_NOTHING_RUNS: Final = Running(None, Origin.UNKNOWN)


def answer_of(
    given: Given,
    engine: Engine = _PLAIN,
    shown: Sequence[Strategy] = (),
    known: Knowledge | None = None,
) -> Answer:
    """Return the answer on a group.

    ``shown`` are strategies to compare beside those that the client can be set to and the custom
    ones, which are always compared. ``known`` is what follows from what is given, where that has
    been worked out. Raises InvalidAssignmentError if a strategy breaks a rule.
    """
    known = known_of(given) if known is None else known
    load = load_in(known.group, known.measure)
    view = _view_of(given)
    findings = (
        *diagnose(given.group, known.history, known.times, known.facts, given.rebalancing),
        *told_by_logs(given.logged),
        *_placed(view),
    )
    seen = Seen(given=given, known=known, load=load, findings=findings)
    if not _can_be_assigned(given):
        return _without_strategies(seen, view)
    running = running_in(given, engine)
    wanted = _wanted(given, running, shown)
    outcomes = _outcomes(given, known, running, engine, wanted)
    seen, options = _weighed(seen, running, engine, outcomes)
    verdict = verdict_of(seen)
    others = after_switches(remedies(verdict, given, known), seen.proposal)
    answer = Answer(
        given=given,
        known=known,
        load=load,
        bound=load.bound(known.group),
        running=running,
        findings=findings,
        verdict=verdict,
        causes=causes_of(seen),
        options=(*options, *others),
        proposal=seen.proposal or next((o for o in others if o.why_not is None), None),
        outcomes={each.name: each for each in outcomes},
        unsimulated=wanted if not outcomes else (),
    )
    return replace(answer, caveats=caveats_of(answer))


def _weighed(
    seen: Seen, running: Running, engine: Engine, outcomes: Sequence[Outcome]
) -> tuple[Seen, tuple[Option, ...]]:
    """Return what is proposed of what strategies and moves bring, and all of it with why not."""
    given, known, load = seen.given, seen.known, seen.load
    now = as_it_is_now(known.group)
    found = [option_of(each, now, load, known, running) for each in outcomes]
    keep = None if now is None else option_of(now, now, load, known, running)
    curve = engine.frontier(known.group) if now is not None and load.by_weight else None
    move = few_moves(known.group, curve, now, load, known)
    beside = _circumstances(given, seen.findings, running, (keep, *found), known)
    options = decided(
        [each for each in (keep, move, *_switches(found, keep)) if each is not None], beside
    )
    rivals = [each for each in options if each.action is not Action.KEEP]
    proposal = proposed(options, keep)
    return replace(seen, keep=keep, proposal=proposal, rivals=rivals), options


def held_back(answer: Answer) -> Answer:
    """Return the answer while simulations under way may change which switch is worth it: with none.

    What no simulation changes stays proposed; what only loses to another switch is open.
    """
    if answer.proposal is not None and answer.proposal.action is not Action.SWITCH:
        return answer
    options = tuple(
        replace(each, why_not=None)
        if each.why_not is not None and each.why_not.ground is Ground.PROPOSAL
        else each
        for each in answer.options
    )
    held = replace(answer, options=options, proposal=None, is_settling=True)
    return replace(held, caveats=caveats_of(held))


def _without_strategies(seen: Seen, view: "KindView | None") -> Answer:
    """Return the answer on a group in which no strategy of consumer groups assigns anything."""
    given, known = seen.given, seen.known
    verdict = verdict_of(seen)
    options = remedies(verdict, given, known)
    answer = Answer(
        given=given,
        known=known,
        load=seen.load,
        bound=None,
        running=_NOTHING_RUNS,
        findings=seen.findings,
        verdict=verdict,
        causes=causes_of(seen),
        options=options,
        proposal=next((o for o in options if o.why_not is None), None),
        view=view,
    )
    return replace(answer, caveats=caveats_of(answer))


def _view_of(given: Given) -> "KindView | None":
    """Return who holds what in a group of another kind; None where that is not told."""
    if given.as_kind is None or given.kind.runs_consumer_strategies:
        return None
    from evaluation.kinds.view import view_of  # noqa: PLC0415 -- consumer groups start without it

    return view_of(given.as_kind, given.group, given.kind_stated)


def _placed(view: "KindView | None") -> tuple[Finding, ...]:
    if view is None:
        return ()
    from evaluation.diagnosis.placed import placed  # noqa: PLC0415 -- likewise

    return placed(view)


def _can_be_assigned(given: Given) -> bool:
    """Return whether a strategy of consumer groups assigns here, and its input is known."""
    group = given.group
    is_known = not given.lacking and given.assumed.is_predictable(group)
    is_group = given.kind.runs_consumer_strategies and group.member_count > 0
    return is_group and is_known and bool(group.is_wanted.any())


def _wanted(given: Given, running: Running, shown: Sequence[Strategy]) -> tuple[Strategy, ...]:
    """Return the strategies to compare, once each, the client's own first."""
    of = given.client
    return tuple(dict.fromkeys((*of.settings_for(running.strategy), *of.custom, *shown)))


def _outcomes(
    given: Given,
    known: Knowledge,
    running: Running,
    engine: Engine,
    wanted: tuple[Strategy, ...],
) -> list[Outcome]:
    """Return what each strategy brings; nothing where the engine simulates nothing."""
    is_noticed = given.stated.is_noticed
    found = engine.expected(known.group, wanted, running.presumed, is_noticed=is_noticed)
    return [_on_what_is_assumed(each, given) for each in found]


def _on_what_is_assumed(outcome: Outcome, given: Given) -> Outcome:
    """Return an outcome whose certainty holds on the condition of what the text leaves open."""
    if outcome.strategy is None:
        return outcome
    qualified = given.assumed.qualified(outcome.certainty, given.group, outcome.strategy)
    return replace(outcome, certainty=qualified)


def _switches(found: Sequence[Option], keep: Option | None) -> Iterator[Option]:
    """Yield what strategies bring; the one that runs is a change too where its rebalance moves."""
    for option in found:
        if option.action is Action.KEEP and keep is not None and not option.moves:
            continue
        yield replace(option, action=Action.SWITCH)


def _circumstances(
    given: Given,
    findings: Sequence[Finding],
    running: Running,
    options: Sequence[Option | None],
    known: Knowledge,
) -> Circumstances:
    """Return what decides beside the figures of the options, of which the first is to keep."""
    keep, *others = options
    hindering = [each for each in findings if each.hinders]
    # Any rebalance gives an owner to what has none, unless the strategy that runs leaves it so.
    runs = [each for each in others if each is not None and each.action is Action.KEEP]
    group = given.group
    is_unknown = not group.has_claims and bool(group.is_owner_unknown.any())
    # What gets more than it reads, as far as rates are known or stated, needs no other cause.
    is_explained = keep is not None and keep.ends_s is not None and bool(np.isinf(keep.ends_s))
    is_in_few = any(isinstance(each, LagConcentrated) for each in findings)
    return Circumstances(
        keep=keep,
        is_hindered=bool(hindering),
        unread=sum(each.outcome.figures.unowned for each in runs if each.outcome is not None),
        stops_only_moves=running.is_incremental,
        is_one_snapshot=known.is_one_snapshot,
        weighs_arrivals=known.measure.by.needs_rates,
        is_cause_open=is_in_few and not is_explained,
        has_just_changed=any(
            isinstance(each, TakenOver) and each.kind is not None for each in findings
        ),
        only_rebalances=all(isinstance(each, KeepsRebalancing) for each in hindering),
        all_keep_up=not any(isinstance(each, Hot | Uneven) for each in findings)
        and all_keep_up(known),
        hangs_on_assumption=given.assumed.members_unknown or is_unknown,
    )
