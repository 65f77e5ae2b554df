"""Who owns which partitions of a Kafka consumer group under every assignment strategy.

>>> from assignors import Group, Strategy, compare
>>> group = Group.fresh({"orders": 6}, ["a", "b"], lags={"orders": [9, 1, 0, 4, 2, 7]})
>>> first = Strategy(name="first", label="First", assign=lambda group: [0] * group.partition_count)
>>> found = compare(group, ["range", "sticky", first])
>>> found["range"].by_member()
{'a': ('orders-0', 'orders-1', 'orders-2'), 'b': ('orders-3', 'orders-4', 'orders-5')}
>>> {name: assignment.figures.max_lag for name, assignment in found.items()}
{'range': 13, 'sticky': 12, 'first': 23}

What stands in ``__all__`` is public; everything else may change with any release.
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from assignors.catalogue import FailedStrategyError, UnknownStrategyError, strategies
    from assignors.certainty import Certainty, Known
    from assignors.claims import Claims
    from assignors.connect.cluster import ConnectCluster, ConnectorTask, Worker
    from assignors.kinds import GroupKind, UnsupportedKind
    from assignors.layout import Layout, RackPlaces, SubscriptionClasses
    from assignors.model import UNKNOWN, UNOWNED, Group, InvalidGroupError, Owners
    from assignors.numbering import Member, Topic, group_of
    from assignors.offsets import Offsets
    from assignors.rules import InvalidAssignmentError, check
    from assignors.share.group import ShareGroup, ShareMember, ShareTopic
    from assignors.strategy import Promise, Protocol, Sees, Strategy
    from assignors.streams.application import (
        ClassicSubtopology,
        Instance,
        StreamsApplication,
        StreamsSettings,
        StreamsThread,
    )
    from assignors.streams.broker_group import StreamsGroup, StreamsMember
    from assignors.streams.tasks import Subtopology, Task
    from assignors.trace.rules import Because
    from evaluation.answering.answer import Answer
    from evaluation.answering.as_data import as_data
    from evaluation.answering.asking import answer
    from evaluation.answering.caveats import Caveat, CaveatKind, Weight
    from evaluation.answering.consumers_needed import ConsumersNeeded, consumers_needed
    from evaluation.answering.given import Statements
    from evaluation.answering.options import Action, Ground, Option, Takes, WhyNot
    from evaluation.answering.verdicts import Verdict, VerdictKind
    from evaluation.answering.why_not_words import why_not_words
    from evaluation.answering.words import Words, words_of
    from evaluation.assuming.clients import ForeignStrategyError, UnknownClientError
    from evaluation.assuming.running import Origin, Running
    from evaluation.bounds.lag import lower_bound
    from evaluation.capacity.draining import Capacity
    from evaluation.capacity.planning import ConsumerPlan, Margin, PlanKind
    from evaluation.comparing.outcomes import Outcome
    from evaluation.judging import JudgeBy
    from evaluation.kinds.asking import forecast
    from evaluation.kinds.forecast import Forecast, OtherMembers, UnknownMemberError
    from evaluation.library import Assignment, compare
    from evaluation.measuring.facts import Facts, Source, Speed
    from evaluation.measuring.offset_history import Moment, OffsetHistory
    from evaluation.metrics import Figures
    from evaluation.severity import Severity
    from evaluation.stated import InvalidArgumentError, InvalidNumberError

__all__ = [
    "UNKNOWN",
    "UNOWNED",
    "Action",
    "Answer",
    "Assignment",
    "Because",
    "Capacity",
    "Caveat",
    "CaveatKind",
    "Certainty",
    "Claims",
    "ClassicSubtopology",
    "ConnectCluster",
    "ConnectorTask",
    "ConsumerPlan",
    "ConsumersNeeded",
    "Facts",
    "FailedStrategyError",
    "Figures",
    "Forecast",
    "ForeignStrategyError",
    "Ground",
    "Group",
    "GroupKind",
    "Instance",
    "InvalidArgumentError",
    "InvalidAssignmentError",
    "InvalidGroupError",
    "InvalidNumberError",
    "JudgeBy",
    "Known",
    "Layout",
    "Margin",
    "Member",
    "Moment",
    "OffsetHistory",
    "Offsets",
    "Option",
    "Origin",
    "OtherMembers",
    "Outcome",
    "Owners",
    "PlanKind",
    "Promise",
    "Protocol",
    "RackPlaces",
    "Running",
    "Sees",
    "Severity",
    "ShareGroup",
    "ShareMember",
    "ShareTopic",
    "Source",
    "Speed",
    "Statements",
    "Strategy",
    "StreamsApplication",
    "StreamsGroup",
    "StreamsMember",
    "StreamsSettings",
    "StreamsThread",
    "SubscriptionClasses",
    "Subtopology",
    "Takes",
    "Task",
    "Topic",
    "UnknownClientError",
    "UnknownMemberError",
    "UnknownStrategyError",
    "UnsupportedKind",
    "Verdict",
    "VerdictKind",
    "Weight",
    "WhyNot",
    "Words",
    "Worker",
    "answer",
    "as_data",
    "check",
    "compare",
    "consumers_needed",
    "forecast",
    "group_of",
    "lower_bound",
    "strategies",
    "why_not_words",
    "words_of",
]
__version__ = "0.1.0"

_HOMES: Final = MappingProxyType(
    {
        "assignors.connect.cluster": ("ConnectCluster", "ConnectorTask", "Worker"),
        "assignors.share.group": ("ShareGroup", "ShareMember", "ShareTopic"),
        "assignors.streams.application": (
            "ClassicSubtopology",
            "Instance",
            "StreamsApplication",
            "StreamsSettings",
            "StreamsThread",
        ),
        "assignors.streams.broker_group": ("StreamsGroup", "StreamsMember"),
        "assignors.streams.tasks": ("Subtopology", "Task"),
        "evaluation.kinds.asking": ("forecast",),
        "evaluation.kinds.forecast": ("Forecast", "OtherMembers", "UnknownMemberError"),
        "assignors.catalogue": ("FailedStrategyError", "UnknownStrategyError", "strategies"),
        "assignors.certainty": ("Certainty", "Known"),
        "assignors.claims": ("Claims",),
        "assignors.kinds": ("GroupKind", "UnsupportedKind"),
        "assignors.layout": ("Layout", "RackPlaces", "SubscriptionClasses"),
        "assignors.model": ("UNKNOWN", "UNOWNED", "Group", "InvalidGroupError", "Owners"),
        "assignors.numbering": ("Member", "Topic", "group_of"),
        "assignors.offsets": ("Offsets",),
        "assignors.rules": ("InvalidAssignmentError", "check"),
        "assignors.strategy": ("Promise", "Protocol", "Sees", "Strategy"),
        "assignors.trace.rules": ("Because",),
        "evaluation.answering.answer": ("Answer",),
        "evaluation.answering.as_data": ("as_data",),
        "evaluation.answering.asking": ("answer",),
        "evaluation.answering.caveats": ("Caveat", "CaveatKind", "Weight"),
        "evaluation.answering.consumers_needed": ("ConsumersNeeded", "consumers_needed"),
        "evaluation.answering.given": ("Statements",),
        "evaluation.answering.options": ("Action", "Ground", "Option", "Takes", "WhyNot"),
        "evaluation.answering.verdicts": ("Verdict", "VerdictKind"),
        "evaluation.severity": ("Severity",),
        "evaluation.answering.why_not_words": ("why_not_words",),
        "evaluation.answering.words": ("Words", "words_of"),
        "evaluation.assuming.clients": ("ForeignStrategyError", "UnknownClientError"),
        "evaluation.assuming.running": ("Origin", "Running"),
        "evaluation.capacity.draining": ("Capacity",),
        "evaluation.capacity.planning": ("ConsumerPlan", "Margin", "PlanKind"),
        "evaluation.comparing.outcomes": ("Outcome",),
        "evaluation.judging": ("JudgeBy",),
        "evaluation.measuring.facts": ("Facts", "Source", "Speed"),
        "evaluation.measuring.offset_history": ("Moment", "OffsetHistory"),
        "evaluation.stated": ("InvalidArgumentError", "InvalidNumberError"),
        "evaluation.bounds.lag": ("lower_bound",),
        "evaluation.library": ("Assignment", "compare"),
        "evaluation.metrics": ("Figures",),
    }
)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that no module of the core loads another."""
    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(home), name)
            globals()[name] = value
            return value
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted(__all__)
