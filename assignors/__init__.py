"""Who owns which partitions of a Kafka consumer group under every assignment strategy.

>>> from assignors import Group, Strategy, compare
>>> group = Group.fresh({"orders": 6}, ["a", "b"], lags={"orders": [9, 1, 0, 4, 2, 7]})
>>> first = Strategy(name="first", label="First", assign=lambda group: [0] * group.partition_count)
>>> found = compare(group, ["range", "sticky", first])
>>> found["range"].by_member()
{'a': ('orders-0', 'orders-1', 'orders-2'), 'b': ('orders-3', 'orders-4', 'orders-5')}
>>> {name: assignment.figures.max_lag for name, assignment in found.items()}
{'range': 13, 'sticky': 12, 'first': 23}

What stands in ``_HOMES`` is public; everything else may change with any release.
"""
# isort: skip_file
# It would split what one module gives into one import a name.

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # what type checkers see of _HOMES
    from assignors.catalogue import (
        FailedStrategyError as FailedStrategyError,
        UnknownStrategyError as UnknownStrategyError,
        strategies as strategies,
    )
    from assignors.certainty import Certainty as Certainty, Known as Known
    from assignors.claims import Claims as Claims
    from assignors.connect.cluster import (
        ConnectCluster as ConnectCluster,
        ConnectorTask as ConnectorTask,
        Worker as Worker,
    )
    from assignors.kinds import GroupKind as GroupKind, UnsupportedKind as UnsupportedKind
    from assignors.layout import (
        Layout as Layout,
        RackPlaces as RackPlaces,
        SubscriptionClasses as SubscriptionClasses,
    )
    from assignors.model import (
        UNKNOWN as UNKNOWN,
        UNOWNED as UNOWNED,
        Group as Group,
        InvalidGroupError as InvalidGroupError,
        Owners as Owners,
    )
    from assignors.numbering import Member as Member, Topic as Topic, group_of as group_of
    from assignors.offsets import Offsets as Offsets
    from assignors.rules import InvalidAssignmentError as InvalidAssignmentError, check as check
    from assignors.share.group import (
        ShareGroup as ShareGroup,
        ShareMember as ShareMember,
        ShareTopic as ShareTopic,
    )
    from assignors.strategy import (
        Promise as Promise,
        Protocol as Protocol,
        Sees as Sees,
        Strategy as Strategy,
    )
    from assignors.streams.application import (
        ClassicSubtopology as ClassicSubtopology,
        Instance as Instance,
        StreamsApplication as StreamsApplication,
        StreamsSettings as StreamsSettings,
        StreamsThread as StreamsThread,
    )
    from assignors.streams.broker_group import (
        StreamsGroup as StreamsGroup,
        StreamsMember as StreamsMember,
    )
    from assignors.streams.tasks import Subtopology as Subtopology, Task as Task
    from assignors.trace.rules import Because as Because
    from evaluation.answering.actions import Action as Action
    from evaluation.answering.answer import Answer as Answer
    from evaluation.answering.as_data import as_data as as_data
    from evaluation.answering.asking import answer as answer
    from evaluation.answering.caveats import (
        Caveat as Caveat,
        CaveatFigures as CaveatFigures,
        CaveatKind as CaveatKind,
        Weight as Weight,
    )
    from evaluation.answering.consumers_needed import (
        ConsumersNeeded as ConsumersNeeded,
        consumers_needed as consumers_needed,
    )
    from evaluation.answering.given import Given as Given, Statements as Statements
    from evaluation.answering.options import Option as Option
    from evaluation.answering.verdict_figures import VerdictFigures as VerdictFigures
    from evaluation.answering.verdicts import Verdict as Verdict
    from evaluation.answering.why_not import Ground as Ground, WhyNot as WhyNot
    from evaluation.takes import Takes as Takes
    from evaluation.verdict_kinds import VerdictKind as VerdictKind
    from evaluation.answering.why_not_words import why_not_words as why_not_words
    from evaluation.answering.words import Words as Words, words_of as words_of
    from evaluation.assuming.clients import (
        ForeignStrategyError as ForeignStrategyError,
        UnknownClientError as UnknownClientError,
    )
    from evaluation.assuming.running import Origin as Origin, Running as Running
    from evaluation.bounds.lag import lower_bound as lower_bound
    from evaluation.capacity.advice import (
        AllowTime as AllowTime,
        AvoidJar as AvoidJar,
        CapacityAdvice as CapacityAdvice,
        CapacityKind as CapacityKind,
        MeasureSpeed as MeasureSpeed,
        RunConsumers as RunConsumers,
        RunFewer as RunFewer,
        SplitKeys as SplitKeys,
    )
    from evaluation.capacity.draining import Capacity as Capacity
    from evaluation.capacity.planning import (
        ConsumerPlan as ConsumerPlan,
        Margin as Margin,
        PlanKind as PlanKind,
    )
    from evaluation.comparing.outcomes import Outcome as Outcome
    from evaluation.diagnosis import findings as findings
    from evaluation.diagnosis.findings import Finding as Finding, Look as Look
    from evaluation.judging import JudgeBy as JudgeBy
    from evaluation.kinds.asking import forecast as forecast
    from evaluation.kinds.forecast import (
        Forecast as Forecast,
        OtherMembers as OtherMembers,
        UnknownMemberError as UnknownMemberError,
    )
    from evaluation.library import Assignment as Assignment, compare as compare
    from evaluation.measuring.facts import Facts as Facts, Source as Source, Speed as Speed
    from evaluation.measuring.offset_history import Moment as Moment, OffsetHistory as OffsetHistory
    from evaluation.metrics import Figures as Figures
    from evaluation.severity import Severity as Severity
    from evaluation.stated import (
        InvalidArgumentError as InvalidArgumentError,
        InvalidNumberError as InvalidNumberError,
    )
    from sources.errors import SourceError as SourceError
    from sources.library import read as read

__version__ = "0.1.0"

_HOMES: Final = MappingProxyType(
    {
        "assignors.catalogue": ("FailedStrategyError", "UnknownStrategyError", "strategies"),
        "assignors.certainty": ("Certainty", "Known"),
        "assignors.claims": ("Claims",),
        "assignors.connect.cluster": ("ConnectCluster", "ConnectorTask", "Worker"),
        "assignors.kinds": ("GroupKind", "UnsupportedKind"),
        "assignors.layout": ("Layout", "RackPlaces", "SubscriptionClasses"),
        "assignors.model": ("Group", "InvalidGroupError", "Owners", "UNKNOWN", "UNOWNED"),
        "assignors.numbering": ("Member", "Topic", "group_of"),
        "assignors.offsets": ("Offsets",),
        "assignors.rules": ("InvalidAssignmentError", "check"),
        "assignors.share.group": ("ShareGroup", "ShareMember", "ShareTopic"),
        "assignors.strategy": ("Promise", "Protocol", "Sees", "Strategy"),
        "assignors.streams.application": (
            "ClassicSubtopology",
            "Instance",
            "StreamsApplication",
            "StreamsSettings",
            "StreamsThread",
        ),
        "assignors.streams.broker_group": ("StreamsGroup", "StreamsMember"),
        "assignors.streams.tasks": ("Subtopology", "Task"),
        "assignors.trace.rules": ("Because",),
        "evaluation.answering.actions": ("Action",),
        "evaluation.answering.answer": ("Answer",),
        "evaluation.answering.as_data": ("as_data",),
        "evaluation.answering.asking": ("answer",),
        "evaluation.answering.caveats": ("Caveat", "CaveatFigures", "CaveatKind", "Weight"),
        "evaluation.answering.consumers_needed": ("ConsumersNeeded", "consumers_needed"),
        "evaluation.answering.given": ("Given", "Statements"),
        "evaluation.answering.options": ("Option",),
        "evaluation.answering.verdict_figures": ("VerdictFigures",),
        "evaluation.answering.verdicts": ("Verdict",),
        "evaluation.answering.why_not": ("Ground", "WhyNot"),
        "evaluation.answering.why_not_words": ("why_not_words",),
        "evaluation.answering.words": ("Words", "words_of"),
        "evaluation.assuming.clients": ("ForeignStrategyError", "UnknownClientError"),
        "evaluation.assuming.running": ("Origin", "Running"),
        "evaluation.bounds.lag": ("lower_bound",),
        "evaluation.capacity.advice": (
            "AllowTime",
            "AvoidJar",
            "CapacityAdvice",
            "CapacityKind",
            "MeasureSpeed",
            "RunConsumers",
            "RunFewer",
            "SplitKeys",
        ),
        "evaluation.capacity.draining": ("Capacity",),
        "evaluation.capacity.planning": ("ConsumerPlan", "Margin", "PlanKind"),
        "evaluation.comparing.outcomes": ("Outcome",),
        "evaluation.diagnosis": ("findings",),  # a module
        "evaluation.diagnosis.findings": ("Finding", "Look"),
        "evaluation.judging": ("JudgeBy",),
        "evaluation.kinds.asking": ("forecast",),
        "evaluation.kinds.forecast": ("Forecast", "OtherMembers", "UnknownMemberError"),
        "evaluation.library": ("Assignment", "compare"),
        "evaluation.measuring.facts": ("Facts", "Source", "Speed"),
        "evaluation.measuring.offset_history": ("Moment", "OffsetHistory"),
        "evaluation.metrics": ("Figures",),
        "evaluation.severity": ("Severity",),
        "evaluation.stated": ("InvalidArgumentError", "InvalidNumberError"),
        "evaluation.takes": ("Takes",),
        "evaluation.verdict_kinds": ("VerdictKind",),
        "sources.errors": ("SourceError",),
        "sources.library": ("read",),
    }
)
"""What is public, by the module that has it."""
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME_OF)  # noqa: PLE0605 -- type checkers take the imports above


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that no module of the core loads another.

    ``read`` alone takes more than numpy, which its own message says.
    """
    if name not in _HOME_OF:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    home = import_module(_HOME_OF[name])
    if not hasattr(home, name):
        import_module(f"{home.__name__}.{name}")
    value: object = getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
