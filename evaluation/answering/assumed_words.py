"""What an answer takes for granted, as its sentences write it."""

from shlex import quote

from evaluation.answering.answer import Answer
from evaluation.answering.caveats import Caveat, CaveatKind
from evaluation.assuming.clients import CLIENTS
from evaluation.assuming.running import Origin
from evaluation.wording import amount, listed, plural


def caveat_fields(caveat: Caveat, answer: Answer) -> dict[str, str]:
    """Return what a caveat's sentence names."""
    labels = {name: outcome.label for name, outcome in answer.outcomes.items()}
    names = [labels.get(name, name) for name in caveat.names]
    found = {"names": listed(names), "reason": caveat.reason}
    found |= {name: amount(value) for name, value in caveat.figures.known().items()}
    if caveat.figures.partitions is not None:
        found["counted"] = plural(int(caveat.figures.partitions), "partition")
    if caveat.kind is CaveatKind.SUBSCRIPTIONS:
        found["subscriptions"] = answer.given.assumed.subscriptions.value
    if caveat.kind is CaveatKind.LEFT_TOPIC:
        lag = found.get("lag_records")
        found["waiting"] = f"; {lag} records wait there" if lag else ""
        found["it"] = "it" if len(names) == 1 else "them"
        found["group"] = quote(answer.group.id or "GROUP")
        found["topics"] = "".join(f" --topic {quote(name)}" for name in names)
    if caveat.kind is CaveatKind.UNDATED:
        is_unknown = answer.known.history.is_undated
        found["rates_are"] = f"Rates are {'unknown' if is_unknown else 'approximate'}"
    if caveat.kind in {CaveatKind.CLIENT, CaveatKind.SEVERAL_CLIENTS}:
        found["client"] = answer.given.client.short
    if caveat.kind is CaveatKind.SEVERAL_CLIENTS:
        found["names"] = listed([CLIENTS[name].short for name in caveat.names])
    if caveat.kind is CaveatKind.RUNNING:
        found["running"] = _running_words(answer)
    return found


def _running_words(answer: Answer) -> str:
    """Return which strategy is taken to run, and why."""
    running, default = answer.running, answer.given.client.default
    if running.strategy is None:
        return (
            f"The running assignor is unknown; {default.label}, the client's default, is assumed."
        )
    if running.rivals:
        others = listed([each.label for each in running.rivals])
        label = running.strategy.label
        return f"Assumes that {label} runs now; {others} would give the same owners."
    if running.origin in {Origin.INFERRED, Origin.PROTOCOL}:
        return f"Assumes that {running.strategy.label} runs now: {running.why}."
    return f"{running.strategy.label} runs now ({running.why})."


def assumptions(answer: Answer) -> tuple[str, ...]:
    """Return what an answer takes for granted, for one quiet line: client, assignor, load.

    Empty where no strategy of consumer groups assigns.
    """
    if not answer.outcomes:
        return ()
    assumed, running = answer.given.assumed, answer.running
    assignor = f"running assignor unknown, {answer.given.client.default.label} assumed"
    if running.strategy is not None:
        assignor = f"{running.strategy.label} runs now"
        if running.origin in {Origin.INFERRED, Origin.PROTOCOL}:
            assignor = f"{running.strategy.label} assumed to run now"
        elif any(each.kind is CaveatKind.MISFIT for each in answer.caveats):
            assignor = f"{running.strategy.label} runs now, but would give other owners"
    if answer.now is None:
        assignor = ""
    is_guess = any(each.kind is CaveatKind.SUBSCRIPTIONS for each in answer.caveats)
    parts = [
        answer.given.client.short,
        assignor,
        assumed.subscriptions.value if is_guess else "",
        f"judged by {answer.load.noun}",
    ]
    return tuple(filter(None, parts))
