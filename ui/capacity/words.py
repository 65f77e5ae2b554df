"""The conclusions of the Capacity page in sentences, as plain text."""

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.capacity.draining import TOLERANCE, seconds_alone, too_heavy
from evaluation.capacity.search import Minimum, SearchRange
from evaluation.wording import amount, duration, listed, plural
from ui.capacity.findings import Findings
from ui.facts import again

_NAMED = 4


def answer(findings: Findings, rests_on: Sequence[str] = ()) -> str:
    """Return the recommendation in one sentence, on the conditions that it rests on."""
    if findings.is_least and findings.limits.fewest is None:
        return _unproven(findings)
    said = _answer(findings)
    if findings.still and findings.limits.fewest is not None:
        rests_on = (*rests_on, again(findings.still))
    return f"If {listed(rests_on)}, {said[0].lower()}{said[1:]}" if rests_on else said


def at_other_speeds(needed: Mapping[float, int | None]) -> str:
    """Return how many consumers are needed at other speeds, in records per second."""
    said = [
        f"at {amount(round(speed, 1))}/s "
        + ("no number would do" if count is None else f"{plural(count, 'consumer')} would do")
        for speed, count in needed.items()
    ]
    return f"The speed is a guess: {', '.join(said)}."


def _answer(findings: Findings) -> str:
    if findings.limits.fewest is None:
        return _hopeless(findings)
    best = findings.recommended
    if not any(curve.consumers.size for curve in findings.curves):
        return "No number of consumers has been tried yet. Continue to get an answer."
    if best is None or best.consumers is None:
        return (
            "No strategy chosen clears the backlog within "
            f"{duration(findings.capacity.allowed_s)}, with any number of consumers tried up to "
            f"{findings.scope.most:,}."
        )
    verb = _verb(findings, best.seconds, is_one=best.consumers == 1)
    needed = plural(best.consumers, "consumer")
    if findings.settable is None:
        return f"{needed} {verb}, but only with {best.strategy.label}, a custom assignor."
    sentence = f"{needed} with {best.strategy.label} {verb}"
    if findings.saving is None:
        return f"{sentence}."
    fewer = f"{findings.saving.consumers:,} would do with {findings.saving.strategy.label}"
    return f"{sentence}; {fewer}, a custom assignor."


def explanation(findings: Findings) -> list[str]:
    """Return what supports the answer: today, one consumer less, and how sure it is."""
    leading = [least for least in (findings.recommended, findings.saving) if least]
    if not leading:
        sentences = [smaller(least, findings.scope) for least in findings.minima]
    else:
        sentences = [around(least, findings) for least in leading]
    return [sentence for sentence in (today(findings), *sentences) if sentence]


def around(least: Minimum, findings: Findings) -> str:
    """Return what is known just below the smallest number in time, and above it."""
    needed = least.consumers or 0
    below = findings.curve(least.strategy).at(needed - 1)
    sentences = [smaller(least, findings.scope), larger(least)]
    if below is not None:
        sentences = [
            f"With {least.strategy.label}, {needed - 1:,} {_late(below.seconds, findings)}.",
            *sentences,
        ]
    return " ".join(filter(None, sentences))


def smaller(least: Minimum, scope: SearchRange) -> str:
    """Return whether a smaller number can be in time, claiming no more than was tried."""
    if least.consumers is None:
        if least.untried_below:
            return (
                f"{least.strategy.label}: late with all {least.tried_below:,} numbers tried from "
                f"{scope.fewest:,} to {scope.most:,}; {least.untried_below:,} were not tried."
            )
        return f"{least.strategy.label}: late with every number up to {scope.most:,}."
    if least.consumers == scope.fewest:
        return (
            f"{least.consumers:,} with {least.strategy.label} is the minimum: no assignment does "
            "with fewer."
        )
    if least.untried_below:
        return (
            f"{least.consumers:,} is the smallest number tried that is in time with "
            f"{least.strategy.label}. Of the {least.consumers - scope.fewest:,} below it, from "
            f"{scope.fewest:,}, the fewest possible, {least.tried_below:,} were tried and are "
            f"late; {least.untried_below:,} were not tried."
        )
    return f"No smaller number is in time with {least.strategy.label}."


def larger(least: Minimum) -> str:
    """Return whether more consumers can be worse."""
    if not least.tried_above:
        return ""
    if not least.late_above:
        if least.tried_above == 1:
            return "The one larger number tried is in time as well."
        return f"All {least.tried_above:,} larger numbers tried are in time as well."
    late = listed([f"{number:,}" for number in least.late_above], most=_NAMED + 1)
    are = "is" if len(least.late_above) == 1 else "are"
    safe = least.always_from
    then = "" if safe is None else f"; from {safe:,} on, every number tried is in time"
    return f"More can be worse with {least.strategy.label}: {late} {are} late{then}."


def today(findings: Findings) -> str:
    """Return how today's consumers do: as assigned now, or else with the best strategy."""
    if not findings.today:
        return "There are no consumers today: nobody reads."
    consumers = f"Today's {plural(findings.today, 'consumer')}"
    if findings.now is not None:
        pace, once = _pace(findings.now.seconds, findings), ""
        if findings.still and 0 < findings.now.seconds < np.inf:
            once = f" once {again(findings.still)}"
        return f"{consumers}, as assigned now, {pace}{once}."
    best = findings.recommended or min(findings.minima, key=lambda least: least.seconds)
    at = findings.curve(best.strategy).at(findings.today)
    if at is None:
        return ""
    return f"{consumers}, with {best.strategy.label}, {_pace(at.seconds, findings)}."


def _pace(seconds: float, findings: Findings) -> str:
    late, s = seconds - findings.capacity.allowed_s, "s" if findings.today == 1 else ""
    if late <= findings.capacity.allowed_s * TOLERANCE:
        return f"take{s} {duration(seconds)}" if seconds else f"keep{s} up"
    if findings.is_least and not np.isfinite(seconds):
        return f"catch{'es' if s else ''} up only if one reads more than it was seen to"
    if not np.isfinite(seconds):
        return "never catches up" if s else "never catch up"
    return f"take{s} {duration(seconds)}, {duration(late)} too long"


def _late(seconds: float, findings: Findings) -> str:
    """Return by how much one consumer less misses the time, or that it does not."""
    if findings.is_least and not np.isfinite(seconds):
        return "would catch up only if one reads more than it was seen to"
    if not np.isfinite(seconds):
        return "would never catch up"
    late = seconds - findings.capacity.allowed_s
    if late <= findings.capacity.allowed_s * TOLERANCE:
        return "would be in time too"
    return f"would be late by {duration(late)}"


def _verb(findings: Findings, seconds: float, *, is_one: bool) -> str:
    s = "s" if is_one else ""
    if seconds == 0 or not (findings.group.counted_lags > 0).any():
        return f"keep{s} up with what arrives"
    return f"clear{s} the backlog in {duration(seconds)}"


def _hopeless(findings: Findings) -> str:
    capacity, demand, fastest = findings.capacity, findings.demand, findings.fastest
    heavy = too_heavy(demand, fastest, capacity)
    if not heavy.size:
        return "No number of consumers is enough."
    worst = int(heavy[0])
    name, rate = findings.planned.partition_name(worst), float(demand.rates[worst])
    seconds = float(seconds_alone(demand, fastest, capacity)[worst])
    if np.isfinite(seconds):
        pause = f", {duration(capacity.pause_s)} of rebalance first" if capacity.pause_s else ""
        allowed = duration(capacity.allowed_s)
        why = f"{name} alone takes {duration(seconds)}{pause}, and {allowed} is allowed"
    else:
        cap = capacity.partition_cap
        reads = (
            f"and one consumer reads {amount(round(fastest, 1))}"
            if cap is None or cap >= fastest
            else f"of which at most {amount(round(cap, 1))} can be read"
        )
        why = f"{name} alone never catches up: {amount(round(rate, 1))} records/s arrive, {reads}"
    return f"No number of consumers is enough: {why}."


def _unproven(findings: Findings) -> str:
    """Return what a partition needs where the speed is only known to be at least something."""
    needed = findings.demand.needs
    worst = int(np.argmax(needed))
    needs, seen = (amount(round(rate, 1)) for rate in (float(needed[worst]), findings.fastest))
    name, allowed = findings.planned.partition_name(worst), duration(findings.capacity.allowed_s)
    return (
        f"Not known whether any number of consumers is enough: {name} alone needs {needs}/s to be "
        f"read within {allowed}, and consumers were seen to read {seen}/s at most. Whether they "
        "can read more is not known: measure one under backlog, or state its speed."
    )


def way_out(findings: Findings) -> str:
    """Return what helps where no number of consumers does."""
    capacity, demand, fastest = findings.capacity, findings.demand, findings.fastest
    heavy = too_heavy(demand, fastest, capacity)
    are = "is" if heavy.size == 2 else "are"  # noqa: PLR2004 -- the first is named already
    more = ""
    if heavy.size > 1:
        more = f"{plural(heavy.size - 1, 'more partition')} {are} too slow too. "
    helps = (
        "Faster processing or more time does; more partitions only spread records still to come."
    )
    if np.isinf(seconds_alone(demand, fastest, capacity)[heavy]).any():
        helps = (
            "Faster processing does, or more partitions, over which what arrives is spread; more "
            "time does not."
        )
    return (
        f"{more}A partition has one owner, so more consumers and other strategies do not help. "
        f"{helps}"
    )
