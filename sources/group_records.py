"""What the command line writes of one group: an answer, assignments, or the group itself."""

from collections.abc import Iterable
from dataclasses import replace

from assignors.strategy import Strategy
from evaluation.answering.compose import answer_of
from evaluation.answering.engine import running_in
from evaluation.answering.given import Given
from evaluation.judging import LAG
from evaluation.kinds.forecast import (
    KindGroup,
    OtherMembers,
    UnknownMemberError,
    UnpredictedReleaseError,
)
from evaluation.kinds.stated import KindStated, stated_as
from evaluation.reading import Reading
from evaluation.stated import InvalidNumberError
from sources import assumed_json, group_json
from sources.answer_json import answer_json, how_read
from sources.arguments import strategy_named
from sources.asking import asked, known_in, weighed_in
from sources.errors import SourceError
from sources.options import Options
from sources.scaled_answer import at_rest
from sources.strategy_records import RecordOf, record_of


def records_of(reading: Reading, options: Options) -> Iterable[dict[str, object]]:
    """Return the JSON objects that are asked for, one or one for each strategy.

    Raises SourceError.
    """
    if options.convert:
        return [_converted(reading, options.stated.interval_s)]
    if options.scaled_object is not None:
        return [at_rest(reading, options.scaled_object, options.pods)]
    if reading.as_kind is not None and not options.answer:
        return [_about(reading) | _forecast(reading, reading.as_kind, options)]
    if options.subscriptions is not None:
        reading = reading.with_subscriptions(assumed_json.source_called(options.subscriptions))
    if options.answer:
        return [_answered(reading, options)]
    return _of_strategies(reading, options)


def _about(reading: Reading) -> dict[str, object]:
    """Return what every record of a group has: what it is, and how it was read if that is odd."""
    about: dict[str, object] = {"id": reading.name, "kind": reading.kind.value}
    return about | ({"notes": reading.notes} if reading.notes else {})


def _of_strategies(reading: Reading, options: Options) -> Iterable[dict[str, object]]:
    """Return what each strategy brings: those asked for, the group's own, or all of its client."""
    given = asked(reading, options, reading.weighed or LAG)
    measure, group = weighed_in(given)
    of = RecordOf(
        measure=measure,
        assumed=given.assumed,
        has_all_answers=options.all_answers,
        has_outlook=options.outlook,
        runs=running_in(given).strategy if options.outlook else None,
        is_noticed=given.stated.is_noticed,
    )
    chosen = options.strategies or _own(given)
    return (_about(reading) | record_of(group, each, of) for each in chosen)


def _own(given: Given) -> tuple[Strategy, ...]:
    if not given.strategy:
        return given.client.strategies
    return (given.read_strategy or strategy_named(given.strategy),)


def _answered(reading: Reading, options: Options) -> dict[str, object]:
    """Return what is the matter with a group and what to do, as every other door says it."""
    given = asked(reading, options)
    if reading.as_kind is not None:
        given = replace(given, kind_stated=_stated_of(reading.as_kind, options))
    found = answer_of(given, shown=options.strategies, known=known_in(given))
    return answer_json(found, reading)


def _forecast(reading: Reading, group: KindGroup, options: Options) -> dict[str, object]:
    """Return who has what, now and then, in a group that is no consumer group, and what to do."""
    from assignors.share.preview import (  # noqa: PLC0415 -- consumer groups start without it
        InconsistentMembersError,
    )
    from evaluation.answering.of_kind import said_of  # noqa: PLC0415 -- likewise
    from evaluation.kinds.view import view_of  # noqa: PLC0415 -- likewise

    what_if = OtherMembers(options.more, options.without, options.threads)
    said = _stated_of(group, options)
    try:
        view = view_of(group, reading.group, said, what_if, options.release)
    except (UnknownMemberError, UnpredictedReleaseError, InconsistentMembersError) as error:
        raise SourceError(str(error)) from error
    answer = answer_of(replace(asked(reading, options), kind_stated=said))
    return said_of(view, answer).as_data | view.found.as_data


def _stated_of(group: KindGroup, options: Options) -> KindStated:
    """Return what the options state of a group of another kind. Raises SourceError."""
    try:
        return stated_as(group, options.settings, options.threads)
    except InvalidNumberError as error:
        raise SourceError(str(error)) from error


def _converted(reading: Reading, interval_s: float | None) -> dict[str, object]:
    history = reading.history
    if history is not None and interval_s is not None:
        history = history.dated(interval_s)
    document = group_json.as_json(replace(reading, history=history, name_above=""))
    about = {"id": reading.name, "kind": reading.kind.value}
    return document | about | {"read": how_read(reading)}
