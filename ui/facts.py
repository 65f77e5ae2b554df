"""What the visitor may state of the facts of the group on screen, and the facts in words."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import streamlit as st

from assignors.model import Group
from evaluation.capacity.draining import Capacity
from evaluation.measuring.facts import Facts, Source, Speed
from evaluation.stated import stated
from evaluation.wording import amount, duration, plural, rate_amount
from ui import form, told
from ui.scenario import Scenario

FROM_THEN: Final = "times start once the change is in place; Rebalance shows the pauses on the way"
"""What every time to clear a backlog counts from."""


@dataclass(frozen=True, kw_only=True)
class Unmeasured:
    """What the visitor states of a flow that snapshots do not tell, or should not."""

    total_rate: float | None = field(
        default=None,
        metadata=stated(
            "all arrivals",
            "Records/s that arrive in all",
            "What producers write to the group's topics. Two snapshots measure it: paste "
            "kafka-consumer-groups --describe on the Group page, and again a minute later. "
            "Blank: as measured, or as the group states.",
        ),
    )
    snapshot_interval_s: float | None = field(
        default=None,
        metadata=stated(
            "the time between snapshots",
            "Seconds between snapshots",
            "The text has no times that tell how far apart its snapshots are. Rates need that.",
        ),
    )
    retention_hours: float | None = field(
        default=None,
        metadata=stated(
            "the retention",
            "Retention",
            "retention.ms of the topics; what was read from the cluster counts unless you state it",
            unit="hours",
        ),
    )


def ask_interval(current: Scenario) -> None:
    """Ask how far apart the snapshots are, if they do not tell it."""
    history = current.reading.history
    if history is not None and history.lacks_times:
        known = "as they were pasted" if history.is_approximate else "unknown"
        form.ask(Unmeasured, "snapshot_interval_s", blank={"snapshot_interval_s": known})


def ask_arriving(group: Group, found: Facts) -> None:
    """Ask how much arrives, where that is not measured or should be something else."""
    known = "unknown"
    if found.arriving_source is not None:
        known = f"{rate_amount(found.total_arriving)}, {found.arriving_source.value}"
    form.ask(Unmeasured, "total_rate", blank={"total_rate": known})
    if group.counted_lags.any():
        told.RATES.ask(
            "Where it arrives",
            "How a stated total divides among the partitions; by lag assumes that partitions lag "
            "because they are busy.",
            told.SPREADS,
        )


def ask_speed(found: Facts) -> None:
    """Ask what one consumer can read; blank is what was measured, or a guess."""
    form.ask(Capacity, "throughput", blank={"throughput": _briefly(found.speed)})


def speed_entered(found: Facts) -> float:
    """Return the speed as typed, for its form to refuse if out of bounds; blank is as found."""
    typed = told.SPEED.number()
    return found.speed.records_s if typed is None else typed


def arrival_words(group: Group, found: Facts) -> str:
    """Return how much arrives and where that is known from, to stand between semicolons."""
    if found.arriving_source is None:
        return "the arrival rate is unknown, so only the backlog counts"
    how = {
        Source.MEASURED: f"measured over {duration(found.span_s)}",
        Source.TIMED: f"measured over the {duration(found.span_s)} that are stated",
    }.get(found.arriving_source, "as stated")
    about = "≈ " if found.is_approximate else ""
    unknown = int(np.count_nonzero(np.isnan(found.arriving) & group.is_wanted))
    rest = f", unknown for {plural(unknown, 'partition')}" if unknown else ""
    return f"{about}{rate_amount(found.total_arriving)} records/s arrive, {how}{rest}"


def say_what_is_missing(decided: str, group: Group, found: Facts, heading: str) -> None:
    """Say that the arrival rate decides this and is unknown; offer figures to try it with.

    ``heading`` stands above the field that asks for it.
    """
    st.title(f"The arrival rate decides {decided}, and it is unknown.", anchor=False)
    st.markdown(
        f"State the **records/s that arrive in all** under {heading}, or paste "
        "`kafka-consumer-groups --describe` on the Group page, and again a minute later."
    )
    total = found.speed.records_s * max(group.member_count, 1) / 2
    st.button(
        f"Try it with {amount(total)} records/s",
        on_click=told.TOTAL.state,
        args=(total,),
        icon=":material/play_arrow:",
    )


def speed_words(speed: Speed, *, is_asked: bool = True) -> str:
    """Return what one consumer reads and where that is known from; whether the page asks for it."""
    rate = f"{rate_amount(speed.records_s)} records/s"
    if speed.is_least:
        return f"one consumer reads at least {rate} (measured, the most of any)"
    unlike = f", the fastest {rate_amount(speed.most_seen)}" if speed.most_seen else ""
    how = {
        Source.MEASURED: f"measured under backlog{unlike}",
        Source.TIMED: f"measured under backlog, at the seconds stated{unlike}",
        Source.STATED: "stated",
        Source.GUESS: "a guess; change it" if is_asked else "a guess",
    }[speed.source]
    return f"one consumer reads {rate} ({how})"


def reading_words(found: Facts) -> str:
    """Return what one consumer reads, of one partition too, and who does not but is counted on."""
    said, cap = speed_words(found.speed), found.partition_cap
    if cap is not None:
        said = f"{said}, of one partition at most {rate_amount(cap)} (stated)"
    if still := int(np.count_nonzero(found.is_still)):
        who = "the stalled one" if still == 1 else f"the {still:,} stalled ones"
        said = f"{said}, assumed of {who} too"
    return said


def rests_on(found: Facts) -> tuple[str, ...]:
    """Return what nobody has measured or stated but an answer rests on, to stand behind "If".

    A speed that was measured while consumers kept up is a lower bound: the answer then holds for
    consumers that can read no more. Where consumers read at very different speeds, it holds for
    the median.
    """
    rate = f"{rate_amount(found.speed.records_s)}/s"
    is_arriving_known = found.arriving_source is not None
    if found.speed.source is Source.GUESS:
        if is_arriving_known:
            return (f"one consumer reads {rate} (a guess; change it)",)
        return (f"nothing more arrives and one consumer reads {rate} (guesses; change them)",)
    nothing = () if is_arriving_known else ("nothing more arrives (it is unknown)",)
    if found.speed.is_least:
        return (*nothing, f"one consumer reads no more than the {rate} that it was seen to")
    if found.speed.most_seen:
        most = rate_amount(found.speed.most_seen)
        return (*nothing, f"every consumer reads {rate}, though one was seen to read {most}")
    return nothing


def again(still: int) -> str:
    """Return that this many stalled consumers read again."""
    who = "stalled consumer reads" if still == 1 else f"{still:,} stalled consumers read"
    return f"the {who} again"


def _briefly(speed: Speed) -> str:
    least = "at least " if speed.is_least else ""
    return f"{least}{rate_amount(speed.records_s)}, {speed.source.value}"
