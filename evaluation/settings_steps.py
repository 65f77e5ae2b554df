"""Changes of settings in steps, and where a sink connector takes them."""

from typing import Final, NamedTuple


class SettingsStep(NamedTuple):
    """One change of settings, rolled out to every consumer before the next."""

    text: str
    """When to make it and what it does, in a sentence or two."""
    settings: str
    language: str
    """The language of the settings."""


class Configuration(NamedTuple):
    """How to bring a group to a strategy: steps in order, and notes."""

    steps: tuple[SettingsStep, ...]
    """() if nobody ships the strategy."""
    notes: tuple[str, ...]


OVERRIDE: Final = "consumer.override."
"""Stands before a consumer's setting in the configuration of a sink connector."""
_PROPERTIES: Final = "properties"
_ONLY: Final = (
    "In the connector's configuration (PUT /connectors/NAME/config); Connect restarts its tasks. "
    "All of them must have one strategy in common at every moment: in a group that is running, "
    "list the new and the old one first, and remove the old one in a second update."
)
_BOTH: Final = (
    (
        "First update of the connector's configuration (PUT /connectors/NAME/config): list both; "
        "Connect restarts its tasks. In place of RangeAssignor list what the connector sets now."
    ),
    "Second update, once all tasks run again: remove the old one.",
)
_ON_WORKERS: Final = "On every worker: the consumers of a sink's tasks run there. "
_POLICY: Final = (
    "The workers' connector.client.config.override.policy must allow it: All, the default since "
    "3.0; with None they refuse the connector."
)
_TASKS: Final = (
    "One consumer more is one more of the connector's tasks.max, up to the number of partitions."
)


def in_connector(found: Configuration) -> Configuration:
    """Return how a sink connector brings its tasks' consumers to a strategy.

    Static ids do not apply: all tasks of a connector would share one.
    """
    if not found.steps:
        return found
    changes = [step for step in found.steps if step.language == _PROPERTIES]
    texts = _BOTH if len(changes) == len(_BOTH) else (_ONLY,) * len(changes)
    steps = iter(
        step._replace(
            text=text,
            settings="\n".join(f"{OVERRIDE}{line}" for line in step.settings.splitlines()),
        )
        for step, text in zip(changes, texts, strict=True)
    )
    return Configuration(
        tuple(
            next(steps)
            if step.language == _PROPERTIES
            else step._replace(text=f"{_ON_WORKERS}{step.text}")
            for step in found.steps
        ),
        (
            _POLICY,
            _TASKS,
            *(note for note in found.notes if "group.instance.id" not in note),
        ),
    )
