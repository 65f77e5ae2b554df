"""What every kind of verdict and reason says, in one file: ``sentences.txt``, beside this one.

Other tests hold figures, kinds and names. Whoever changes a template changes that file with it, and
reads there what an engineer will read.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from assignors.registry import STRATEGIES
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.options import Option
from evaluation.answering.verdict_figures import VerdictFigures
from evaluation.answering.verdict_rows import ROWS
from evaluation.answering.verdicts import Verdict
from evaluation.answering.why_not import WhyNot
from evaluation.answering.why_not_words import why_not_words
from evaluation.answering.words import words_of
from evaluation.assuming.running import Origin, Running
from evaluation.measuring.facts import Source
from evaluation.reading import ReadAgain
from evaluation.takes import Takes
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.answers import NextRebalance
from tests.doors import texts
from tests.pasted import the_group

_FILE: Final = Path(__file__).with_name("sentences.txt")
_REASONS: Final = "[why an option is not proposed]"
_MORE: Final = "[more consumers]"
_CALM: Final = "[healthy, where strategies would gain something]"
_AGAIN: Final = "[a further snapshot]"
_REBALANCE: Final = "[a rebalance of what runs]"
_FIGURES: Final = VerdictFigures(
    lag_records=240_000.0,
    arriving_per_s=320.0,
    reading_per_s=270.0,
    arrived_records=19_200.0,
    read_between_records=16_200.0,
    before_per_s=90.0,
    each_per_s=45.0,
    others_per_s=80.0,
    usual_per_s=20.0,
    restarted_times=3.0,
    offset=90_000.0,
    share=0.75,
    changes=3.0,
    cleared_records=310_000.0,
    lost_records=1_500.0,
    skipped_records=498_000.0,
    reset_records=570_000.0,
    ahead_records=49_880.0,
    deleted_in_s=7_200.0,
    behind_s=600.0,
    oldest_s=900.0,
    ends_s=1_800.0,
    ends_alone_s=3_600.0,
    needed_consumers=5.0,
    gone_consumers=2.0,
    surplus_consumers=1.0,
    active_consumers=2.0,
    moving_partitions=4.0,
    busiest_load=200_000.0,
    even_load=80_000.0,
)
"""One value for each figure that a verdict may have."""


_ABOUT: Final = (
    Verdict(kind=VerdictKind.STUCK_RECORD, members=(1,), partitions=(4,)),
    Verdict(kind=VerdictKind.TOO_HOT, members=(0,), partitions=(0,)),
    Verdict(kind=VerdictKind.SLOW_CONSUMER, members=(0, 1), partitions=(0, 4)),
    Verdict(kind=VerdictKind.CRASH_LOOP, members=(0, 1, 2)),
    Verdict(kind=VerdictKind.LOG_TRUNCATED, members=(0,), partitions=(0,)),
    Verdict(kind=VerdictKind.AHEAD_OF_LOG, members=(0,), partitions=(0,)),
    Verdict(kind=VerdictKind.IDLE, members=(2,), owns_nothing=(2,)),
)


@cache
def _answer() -> Answer:
    """Return an answer on three consumers of twelve partitions, two minutes apart."""
    reading = the_group(texts.snapshots(texts.one_overloaded(), dated=True))
    return answer_of(given_of(reading), NextRebalance())


def rendered(kind: VerdictKind) -> str:
    """Return what is said of a kind of verdict that knows all of its figures, and of one that none.

    The first names a consumer and two partitions, or whom the kind is about; neither proposes
    anything.
    """
    named = Verdict(kind=kind, members=(0,), partitions=(0, 1))
    named = next((each for each in _ABOUT if each.kind is kind), named)
    whole = replace(named, figures=_FIGURES, since_s=60.0)
    lines = [f"[{kind.value}]"]
    for verdict in (whole, Verdict(kind=kind)):
        words = words_of(replace(_answer(), verdict=verdict, causes=(), proposal=None, caveats=()))
        said = {
            "headline": words.headline,
            "short": words.short,
            "evidence": words.evidence,
            "advice": words.action if ROWS[kind].advice else "",
        }
        known = "known" if verdict is whole else "bare"
        lines += [f"{known} {name}: {text}" for name, text in said.items() if text]
    return "\n".join(lines)


def rendered_more(ends_s: float | None) -> str:
    """Return what is said of the number of consumers that stops a backlog from growing."""
    full = Verdict(kind=VerdictKind.FULL, members=(0, 1, 2))
    more = Option(
        action=Action.ADD_CONSUMERS, takes=Takes.HANDS, consumers=5, least=5, ends_s=ends_s
    )
    words = words_of(replace(_answer(), verdict=full, proposal=more, caveats=()))
    return f"{'never clears' if ends_s is None else 'clears'}: {words.action}"


def rendered_calm(source: Source | None) -> str:
    """Return what is said where strategies would gain something that does not matter."""
    known = replace(_answer().known, facts=replace(_answer().facts, arriving_source=source))
    options = [replace(each, why_not=WhyNot.NEGLIGIBLE) for each in _answer().options]
    healthy = Verdict(kind=VerdictKind.HEALTHY)
    calm = replace(_answer(), known=known, options=(*options,), verdict=healthy, proposal=None)
    return f"{'no rates' if source is None else 'rates'}: {words_of(calm).headline}"


def rendered_again(again: ReadAgain) -> str:
    """Return what is asked for where one snapshot tells too little, by how the next one comes."""
    given = replace(
        _answer().given,
        is_live=again is not ReadAgain.BY_COMMAND,
        is_watched=again is ReadAgain.BY_ITSELF,
    )
    verdict, more = Verdict(kind=VerdictKind.BEHIND), Option(action=Action.ADD_SNAPSHOT)
    words = words_of(replace(_answer(), given=given, verdict=verdict, proposal=more, caveats=()))
    return f"{again.name.lower()}: {words.action}"


def rendered_rebalance(running: Running) -> str:
    """Return what is said of the next rebalance of what runs, where that is proposed."""
    found = next(o for o in _answer().strategies if o.takes is Takes.SETTING)
    option = replace(found, takes=Takes.NOTHING, busiest=161_000, gain=0.2, moves=6, low=None)
    words = words_of(replace(_answer(), running=running, proposal=option, caveats=()))
    return f"{running.origin.name.lower()}: {words.action}"


def rendered_reason(kind: WhyNot) -> str:
    """Return what is said of a switch that is not proposed for this reason."""
    jar = next(o for o in _answer().strategies if o.takes is Takes.JAR)
    option = replace(jar, busiest=240_000, gain=0.2, reliability=0.4, moves=7, why_not=kind)
    return f"{kind.value}: {why_not_words(option, _answer())}"


@pytest.mark.parametrize("kind", VerdictKind)
def test_each_kind_of_verdict_says_what_the_file_has(kind: VerdictKind) -> None:
    sections = _FILE.read_text().strip().split("\n\n")

    expected = next((each for each in sections if each.startswith(f"[{kind.value}]\n")), "")

    assert rendered(kind) == expected


def test_the_file_has_every_kind_once_and_nothing_else() -> None:
    others = (_CALM, _AGAIN, _REBALANCE, _MORE, _REASONS)
    heads = [each.splitlines()[0] for each in _FILE.read_text().strip().split("\n\n")]

    assert heads == [*(f"[{kind.value}]" for kind in VerdictKind), *others]


def test_more_consumers_are_asked_for_to_stop_the_growth_and_say_when_it_ends() -> None:
    expected = _FILE.read_text().strip().split("\n\n")[-2]

    assert "\n".join([_MORE, *map(rendered_more, (None, 1_800.0))]) == expected


def test_a_group_in_which_all_keep_up_is_not_called_even() -> None:
    expected = _FILE.read_text().strip().split("\n\n")[-5]

    assert "\n".join([_CALM, *map(rendered_calm, (Source.MEASURED, None))]) == expected


def test_the_next_snapshot_comes_as_the_group_is_read() -> None:
    expected = _FILE.read_text().strip().split("\n\n")[-4]

    assert "\n".join([_AGAIN, *map(rendered_again, ReadAgain)]) == expected


def test_a_rebalance_that_rests_on_the_clients_default_says_so() -> None:
    expected = _FILE.read_text().strip().split("\n\n")[-3]
    default = STRATEGIES["roundrobin"]
    runs = Running(default, Origin.READ), Running(None, Origin.UNKNOWN, default=default)

    assert "\n".join([_REBALANCE, *map(rendered_rebalance, runs)]) == expected


def test_each_reason_against_an_option_says_what_the_file_has() -> None:
    expected = _FILE.read_text().strip().split("\n\n")[-1]

    assert "\n".join([_REASONS, *map(rendered_reason, WhyNot)]) == expected
