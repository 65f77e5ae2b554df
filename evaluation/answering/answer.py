"""The answer on a group, as data: facts, verdict, options, proposal, caveats."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from assignors.kinds import GroupKind
from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.actions import Action
from evaluation.answering.caveats import Caveat
from evaluation.answering.given import Given, Knowledge
from evaluation.answering.options import Option, best_first
from evaluation.answering.verdicts import Verdict
from evaluation.answering.why_not import Ground, WhyNot
from evaluation.assuming.running import Running
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.comparing.worth import WORTH
from evaluation.diagnosis.findings import Finding, hindering
from evaluation.measuring.facts import Facts
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

if TYPE_CHECKING:
    from evaluation.kinds.view import KindView

_LATEST: Final = frozenset(
    {
        VerdictKind.CATCHING_UP,
        VerdictKind.IDLE,
        VerdictKind.BEHIND,
        VerdictKind.LAG_UNKNOWN,
        VerdictKind.HEALTHY,
    }
)
"""The kinds that come after UNEVEN, which alone hangs on what strategies would bring."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Answer:
    """What is the matter with a group, what could be done, and what is proposed."""

    given: Given
    known: Knowledge
    load: Load
    """What decides: the busiest consumer's load."""
    bound: int | None
    """A lower bound on the busiest consumer's load; None without consumers or known load."""
    running: Running
    findings: tuple[Finding, ...]
    """Why records wait, cheapest cause first."""
    verdict: Verdict
    causes: tuple[Verdict, ...] = ()
    """What each finding says for itself, the most urgent first; the verdict may be one of them."""
    options: tuple[Option, ...]
    """Everything that could be done, each with why it is not proposed."""
    proposal: Option | None
    """One of the options; None if nothing is worth it, or a switch is held back."""
    is_settling: bool = False
    """Whether a switch is held back, because simulations under way may change it."""
    caveats: tuple[Caveat, ...] = ()
    """The weightiest first."""
    view: "KindView | None" = None
    """Who holds what in a group of another kind, as its own assignors see it; None for consumer
    groups, and where the source does not tell."""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """What every strategy asked for brings, by name."""
    unsimulated: tuple[Strategy, ...] = ()
    """Those asked for of which nothing is known yet."""

    def __repr__(self) -> str:
        return f"<Answer {self.verdict.kind.value}: {self.group!r}, {self.proposal!r}>"

    @property
    def besides(self) -> tuple[Verdict, ...]:
        """The causes of what is broken or will be, and of work that rests, without the verdict."""
        own = (self.verdict.kind, self.verdict.members, self.verdict.partitions)
        told = [each for each in self.causes if each.severity >= Severity.WARNING or each.work]
        return tuple(e for e in told if (e.kind, e.members, e.partitions) != own)

    @property
    def group(self) -> Group:
        """Weighed by what it is judged by."""
        return self.known.group

    @property
    def facts(self) -> Facts:
        """The arrival rate, what each consumer has read and can read, with their sources."""
        return self.known.facts

    @property
    def kind(self) -> GroupKind:
        """What kind of group it is."""
        return self.given.kind

    @cached_property
    def keep(self) -> Option | None:
        """The present owners as an option; None if nobody owns anything."""
        return next((o for o in self.options if o.action is Action.KEEP and o.outcome), None)

    @property
    def now(self) -> Outcome | None:
        """The present owners with their figures."""
        return None if self.keep is None else self.keep.outcome

    @cached_property
    def strategies(self) -> tuple[Option, ...]:
        """The options that switch to a strategy, in the order of every screen."""
        return tuple(best_first([o for o in self.options if o.action is Action.SWITCH]))

    @cached_property
    def few_moves(self) -> Option | None:
        """The fewest moves that bring most of the gain, if they bring any."""
        return next((o for o in self.options if o.action is Action.MOVE), None)

    @property
    def weighs_strategies(self) -> bool:
        """Whether switches are weighed at all: not while a cause is open, or none of them helps."""
        if hindering(self.findings) is not None:
            return False
        return bool(self.unsimulated) or not all(map(_is_barred, self.strategies))

    @property
    def hangs_on_simulations(self) -> bool:
        """Whether more simulated restarts may change what is proposed."""
        if not self.weighs_strategies:
            return False
        if self.unsimulated:
            return True
        is_bounded = not self._may_gain
        return not all(
            _is_barred(each) or (is_bounded and each.why_not is WhyNot.TOO_LITTLE)
            for each in self.strategies
        )

    @property
    def is_verdict_final(self) -> bool:
        """Whether no simulation changes the verdict, though none has been made.

        Strategies matter to the verdicts from UNEVEN on: one must take ``WORTH`` off the busiest
        consumer's load, or give what nobody owns an owner.
        """
        if self.verdict.kind not in _LATEST or self.keep is None:
            return True
        outcome = self.keep.outcome
        is_left = outcome is not None and outcome.figures.unowned > 0
        return not self._may_gain and not (is_left and self.verdict.kind is VerdictKind.CATCHING_UP)

    @property
    def _may_gain(self) -> bool:
        """Whether some assignment may take ``WORTH`` off the busiest: the lower bound leaves it."""
        busiest = None if self.keep is None else self.keep.busiest
        return busiest is None or self.bound is None or self.bound <= busiest * (1 - WORTH)

    def option_for(self, strategy: Strategy | str) -> Option | None:
        """Return the option that switches to, or keeps, a strategy or the one of a name."""
        name = strategy if isinstance(strategy, str) else strategy.name
        found = (o for o in self.options if o.strategy is not None and o.strategy.name == name)
        return next(found, None)


def _is_barred(option: Option) -> bool:
    """Return whether an option is not proposed whatever it brings."""
    return option.why_not is not None and option.why_not.ground is Ground.CAUSE
