"""The questions that an assistant may ask; each reads, computes, and changes nothing.

Every function is a tool: its docstring is what the assistant reads, and its annotations are the
schema. All raise a ``ValueError`` with one sentence for input that cannot be used.
"""

from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import Field
from pydantic.fields import FieldInfo

from assignors.catalogue import strategy_called
from assignors.model import UNOWNED
from assignors.suggestions import nearest
from assistant import answers
from assistant.comparison import compared
from assistant.plans import capacity_plan
from evaluation.answering.compose import answer_of
from evaluation.answering.consumers_needed import consumers_needed
from evaluation.answering.given import Given, Statements
from evaluation.assuming.clients import CLIENTS, client_called
from evaluation.capacity.planning import Margin
from evaluation.explain.explainer import Explainer
from evaluation.judging import JudgeBy
from evaluation.kinds.forecast import OtherMembers
from evaluation.kinds.stated import SETTINGS, stated_as
from evaluation.kinds.view import view_of
from evaluation.kinds.why import items_in, why, why_each
from evaluation.metrics import total_lag
from evaluation.reading import Reading
from evaluation.releases import holds_for
from evaluation.stated import stated_of
from sources.answer_json import answer_json
from sources.asking import client_of, given_of, known_in, runs_called
from sources.budget import LIMITS
from sources.errors import SourceError
from sources.text import read_text

_MOST_IGNORED: Final = 10
_NOTHING: Final = Statements()
Text = Annotated[
    str,
    Field(
        description="What a Kafka tool printed, as it is: kafka-consumer-groups --describe, a "
        "table, JSON, metrics of an exporter, logs. Two outputs one below the other measure rates."
    ),
]
Name = Annotated[str | None, Field(description="The group, where the text holds several")]
ClientName = Annotated[
    str | None,
    Field(
        description=f"The consumers' client library: {', '.join(CLIENTS)}; by default the one that "
        "the text gives away, else Java's"
    ),
]
RunsName = Annotated[
    str | None,
    Field(
        description="The strategy that the group runs now, of its own client; by default the one "
        "that the text names, else inferred from the owners"
    ),
]


def _figure(name: str) -> FieldInfo:
    """Return the schema of a figure that can be stated, with its bound."""
    each = stated_of(Statements)[name]
    about = f"If you were told: {each.about}, in {each.unit}"
    found: FieldInfo = (
        Field(gt=0, description=about) if each.least else Field(ge=0, description=about)
    )
    return found


Arriving = Annotated[float | None, _figure("arriving")]
Speed = Annotated[float | None, _figure("speed")]
PartitionCap = Annotated[float | None, _figure("partition_cap")]
IntervalS = Annotated[float | None, _figure("interval_s")]
RetentionS = Annotated[float | None, _figure("retention_s")]
HorizonMin = Annotated[float | None, _figure("horizon_min")]
SpreadByLag = Annotated[
    bool, Field(description="With arriving: most arrives where most lag is, rather than evenly")
]
IsNoticed = Annotated[
    bool,
    Field(
        description="Whether the group rebalances without a consumer that restarts before that is "
        "back"
    ),
]
Settings = Annotated[
    dict[str, float] | None,
    Field(
        description="Of a Streams, Connect or share group, settings that the text does not tell: "
        + ", ".join(SETTINGS)
    ),
]
JudgedBy = Annotated[
    JudgeBy | None,
    Field(
        description="What to compare consumers by; work (lag and the arrivals within horizon_min) "
        "and rate need an arrival rate; by default work where rates are known, else lag"
    ),
]


def read_paste(text: Text) -> list[answers.GroupRead]:
    """Read the consumer groups in a text that a Kafka tool printed, and say how it was read.

    Use it first to see what is known: groups, lag, strategy, snapshots, and which lines were
    ignored.
    """
    return [_read(reading) for reading in _readings(text)]


def compare_strategies(
    text: Text,
    group: Name = None,
    strategies: Annotated[
        list[str] | None, Field(description="Names; by default all that the client's users can use")
    ] = None,
    client: ClientName = None,
    runs: RunsName = None,
) -> answers.StrategiesCompared:
    """Compare partition-assignment strategies on one consumer group, and recommend.

    Says who is busiest under each, how many partitions move, and how far that is from the lower
    bound. The running strategy is exact at its next rebalance; any other is shown after the
    rolling restart of a switch.
    """
    given = _given(_predictable(text, group), client, runs)
    usual = given.client.strategies
    wanted = usual if strategies is None else [strategy_called(n) for n in strategies]
    return compared(answer_of(given, shown=wanted), wanted)


def answer(  # noqa: PLR0913, PLR0917 -- a field of the schema each
    text: Text,
    group: Name = None,
    client: ClientName = None,
    runs: RunsName = None,
    arriving: Arriving = None,
    is_spread_by_lag: SpreadByLag = False,
    speed: Speed = None,
    partition_cap: PartitionCap = None,
    interval_s: IntervalS = None,
    retention_s: RetentionS = None,
    is_noticed: IsNoticed = True,
    judge_by: JudgedBy = None,
    horizon_min: HorizonMin = None,
    settings: Settings = None,
) -> dict[str, Any]:
    """Say what is the matter with a group, on what evidence, and the one thing to do about it.

    The same answer as the dashboard and the command line give: a verdict with its figures, every
    option with its gain, cost and why it is not proposed, the proposal, what it is judged by, the
    facts, all of it in words, and how the text was read. Ask this first. State a figure only if the
    user told it; the answer names it as stated.
    """
    reading = _one(text, group)
    stated = Statements(
        arriving=arriving,
        is_spread_by_lag=is_spread_by_lag,
        speed=speed,
        partition_cap=partition_cap,
        interval_s=interval_s,
        retention_s=retention_s,
        is_noticed=is_noticed,
        judge_by=judge_by,
        horizon_min=horizon_min,
    )
    given = _given(reading, client, runs, stated)
    if settings:
        if reading.as_kind is None:
            message = (
                f"{reading.name!r} is {reading.kind.noun} here, which has no settings to state"
            )
            raise SourceError(message)
        given = replace(given, kind_stated=stated_as(reading.as_kind, settings))
    return answer_json(answer_of(given, known=known_in(given)), reading)


def explain_owner(
    text: Text,
    topic: str,
    partition: Annotated[int, Field(ge=0)],
    strategy: Annotated[str, Field(description="A name, such as range or cooperative-sticky")],
    group: Name = None,
) -> answers.OwnerExplained:
    """Explain step by step why a consumer gets one partition under one strategy."""
    reading, chosen = _predictable(text, group), strategy_called(strategy)
    subject = reading.group
    if topic not in subject.topics:
        message = f"the group has no topic {topic!r}; {nearest(topic, subject.topics)}"
        raise SourceError(message)
    span = subject.topic_span(subject.topics.index(topic))
    if partition >= span.stop - span.start:
        message = f"topic {topic!r} has the partitions 0 to {span.stop - span.start - 1}"
        raise SourceError(message)
    found = Explainer(subject, chosen).explain(span.start + partition)
    return answers.OwnerExplained(
        group=reading.name,
        partition=subject.partition_name(found.partition),
        strategy=chosen.name,
        owner=None if found.owner == UNOWNED else subject.members[found.owner],
        steps=[answers.ExplanationStep(rule=step.rule, text=step.text) for step in found.steps],
        certainty=chosen.certainty_for(subject).text,
        holds_for=holds_for([chosen]),
    )


def explain_placement(
    text: Text,
    item: Annotated[
        str,
        Field(description="A task 1_2, a connector or its task sink-0, a partition orders-3"),
    ],
    group: Name = None,
    more: Annotated[
        int, Field(ge=0, le=1_000, description="Instances, workers or consumers that join first")
    ] = 0,
    without: Annotated[
        list[str] | None, Field(description="Members or instances that leave first, by id")
    ] = None,
) -> answers.PlacementExplained:
    """Explain, round by round, why a member of a Streams, Connect or share group has something.

    For groups that ``read_paste`` tells to be of these kinds; of a consumer group, ask
    ``explain_owner``.
    """
    reading = _one(text, group)
    if reading.as_kind is None:
        message = (
            f"{reading.name!r} is {reading.kind.noun}, whose owners explain_owner explains"
            if reading.kind.runs_consumer_strategies
            else reading.hindrance
        )
        raise SourceError(message)
    what = OtherMembers(more=more, without=tuple(without or ()))
    view = view_of(reading.as_kind, reading.group, what_if=what)
    items = items_in(view)
    if item not in items:
        message = f"nothing is called {item!r}; {nearest(item, items)}"
        raise SourceError(message)
    held = [each for each in why_each(view) if each.item == item]
    return answers.PlacementExplained(
        group=reading.name,
        item=item,
        strategy=view.found.strategy,
        holders={each.holder: each.role for each in held},
        rounds=[
            answers.PlacementStep(
                round=each.number,
                begins_with=each.cause.value,
                after_s=each.at_s,
                holder=each.holder or None,
                does=each.does,
                why=each.text,
            )
            for each in why(view, item)
        ],
        certainty=view.found.certainty.text,
    )


def plan_capacity(  # noqa: PLR0913, PLR0917 -- a field of the schema each
    text: Text,
    seconds_allowed: Annotated[
        float | None,
        Field(
            gt=0,
            description="Within which the backlog must be cleared; by default 600, which the "
            "consumers of today may miss by 5 %",
        ),
    ] = None,
    records_per_second_of_a_consumer: Speed = None,
    records_per_second_arriving: Arriving = None,
    seconds_paused: Annotated[
        float, Field(ge=0, description="At the start, when nobody reads; no other tool counts it")
    ] = 0.0,
    peak: Annotated[float, Field(gt=0, description="Peak arrivals, times those of now")] = 1.0,
    headroom_percent: Annotated[
        float, Field(ge=0, description="By which more may arrive than that")
    ] = 20.0,
    group: Name = None,
    strategies: Annotated[
        list[str] | None, Field(description="Names; by default all that the client's users can use")
    ] = None,
    client: ClientName = None,
) -> answers.CapacityPlan:
    """Say how many consumers to plan so that a group clears its backlog in time, with headroom.

    A plan is the number from which all larger ones are in time: one more consumer can be worse.
    It is that of the strategy which ``answer`` proposes, where that gives a number.
    Counts arrivals meanwhile if two snapshots or the text give the rate. Says what it rests on; do
    not present a guess as a fact, and ask for the arrival rate where there is no plan.
    """
    reading = _predictable(text, group)
    of = client_of(reading) if client is None else client_called(client)
    stated = Statements(
        speed=records_per_second_of_a_consumer, arriving=records_per_second_arriving
    )
    found = answer_of(given_of(reading, stated, of))
    margin = Margin(peak=peak, headroom_percent=headroom_percent)
    needed = consumers_needed(
        found,
        allowed_s=seconds_allowed,
        pause_s=seconds_paused,
        margin=margin,
        strategies=strategies,
    )
    return capacity_plan(found, needed, margin)


def rank_fleet(
    folder: Annotated[
        str | None,
        Field(description="The pipeline's --output; without it the sample fleet"),
    ] = None,
    cluster: str | None = None,
    most: Annotated[int, Field(ge=1, le=1_000, description="Groups to list")] = 20,
) -> answers.FleetRanking:
    """List the groups of a fleet, the most urgent first, with verdict, advice and possible gain.

    Reads the tables that the pipeline wrote: those below FLEET_ROOT, which the user set before
    starting this server, else the sample alone.
    """
    from assistant.fleet import ranking_in  # noqa: PLC0415 -- takes Delta Lake and pandas

    return ranking_in(folder, cluster, most)


TOOLS: Final = (
    answer,
    read_paste,
    compare_strategies,
    explain_owner,
    explain_placement,
    plan_capacity,
    rank_fleet,
)


def _readings(text: str) -> tuple[Reading, ...]:
    LIMITS.check("text", len(text))
    return read_text(text)


def _one(text: str, name: str | None) -> Reading:
    """Return the group of this name, or the only one."""
    found = {reading.name: reading for reading in _readings(text)}
    if name is None and len(found) == 1:
        return next(iter(found.values()))
    if name is None:
        message = f"the text holds {len(found)} groups; name one of them: {', '.join(found)}"
        raise SourceError(message)
    if name not in found:
        message = f"the text has no group {name!r}; {nearest(name, found)}"
        raise SourceError(message)
    return found[name]


def _predictable(text: str, name: str | None) -> Reading:
    """Return that group if strategies of consumer groups assign in it. Raises SourceError."""
    reading = _one(text, name)
    if reading.hindrance:
        raise SourceError(reading.hindrance)
    return reading


def _read(reading: Reading) -> answers.GroupRead:
    total = total_lag(reading.group)
    return answers.GroupRead(
        name=reading.name,
        format=reading.format,
        consumers=reading.group.member_count,
        topics=len(reading.group.topics),
        partitions=reading.group.partition_count,
        total_lag=total.known,
        unknown_lags=total.unknown_partitions,
        kind=reading.kind.value,
        what_to_do=reading.hindrance or reading.kind.advice,
        state=reading.state,
        strategy=reading.strategy,
        snapshots=max(len(reading.history.moments), 1) if reading.history else 1,
        ignored_lines=[f"{line}: {text}" for line, text in reading.ignored[:_MOST_IGNORED]],
        notes=list(reading.notes),
    )


def _given(
    reading: Reading, client: str | None, runs: str | None, stated: Statements = _NOTHING
) -> Given:
    of = client_of(reading) if client is None else client_called(client)
    return given_of(reading, replace(stated, runs=runs_called(runs, of) if runs else None), of)
