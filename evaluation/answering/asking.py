"""The answer on a group, for programs; ``from assignors import answer``."""

from typing import Final

from assignors.kinds import GroupKind
from assignors.model import Group
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Given, Statements
from evaluation.assuming.clients import JAVA, client_called, recognised
from evaluation.measuring.offset_history import OffsetHistory

_NOTHING: Final = Statements()


def answer(
    group: Group,
    *,
    history: OffsetHistory | None = None,
    stated: Statements = _NOTHING,
    client: str | None = None,
    kind: GroupKind = GroupKind.CONSUMER,
) -> Answer:
    """Return what is the matter with a group, what could be done, and what is proposed.

    ``history`` holds earlier snapshots, from which rates are measured, and the group itself last;
    ``stated`` is what you know beside them. ``client`` names the consumers' library; by default it
    is the one that their ids give away, else Java's. Switches are simulated, which takes up to
    some seconds for thousands of partitions.

    Raises UnknownClientError, ForeignStrategyError if the client does not have the strategy that
    the group is said to run, and InvalidAssignmentError if a strategy breaks a rule.

    >>> lags = [9_000, 8_000, 4_000, 3_000]
    >>> group = Group.of(["t"], [4], ["a", "b"], owners=[0, 0, 1, 1], lags=lags)
    >>> found = answer(group)
    >>> found.verdict.kind.value, found.proposal.strategy.name, found.proposal.busiest
    ('uneven', 'roundrobin', 13000)
    """
    known = recognised(group)
    usual = JAVA if known is None else known.client
    return answer_of(
        Given(
            group=group,
            history=history,
            client=usual if client is None else client_called(client),
            kind=kind,
            stated=stated,
        )
    )
