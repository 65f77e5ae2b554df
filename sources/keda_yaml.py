"""A ScaledObject's YAML: the documents of a text, and what of one the replay does not use."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import yaml

from evaluation.wording import listed
from sources.errors import SourceError
from sources.yaml_documents import yaml_documents

MOST_CHARACTERS: Final = 20_000
_MOST_NAMED: Final = 8
_LONGEST: Final = 100
_BEHAVIOR: Final = {"stabilizationWindowSeconds": None, "selectPolicy": None, "policies": None}
_USED: Final[Mapping[str, Any]] = {
    "spec": {
        "scaleTargetRef": None,
        "pollingInterval": None,
        "cooldownPeriod": None,
        "idleReplicaCount": None,
        "minReplicaCount": None,
        "maxReplicaCount": None,
        "triggers": None,
        "advanced": {
            "restoreToOriginalReplicaCount": None,
            "horizontalPodAutoscalerConfig": {
                "name": None,
                "behavior": {"scaleUp": _BEHAVIOR, "scaleDown": _BEHAVIOR},
            },
        },
    }
}
"""The keys that the replay uses, or that do not change how many pods there are."""
_OF_METADATA: Final = frozenset({"lagThreshold", "bootstrapServers", "consumerGroup"})
"""Keys by which the metadata of a Kafka trigger is known."""
_TEMPLATE: Final = re.compile(r"\{\{[^\n]{0,99}?\}\}|\$\{\w[^\n}]{0,99}\}")
"""What Helm, Terraform or a shell fills in."""
_WHY: Final = {
    "spec.fallback": "it counts only while Kafka does not answer",
    "spec.initialCooldownPeriod": "it counts only after the object is created",
    "spec.advanced.scalingModifiers": "KEDA scales by its formula alone, so that what follows is "
    "not what your ScaledObject does",
}


def scaled_object_in(text: str) -> object:
    """Return the first ScaledObject of a text, whatever else is in it.

    Without one the first document; a part of one (spec, triggers, a trigger, its metadata) as if
    nothing else were stated. Raises SourceError for what is no YAML.
    """
    if len(text) > MOST_CHARACTERS:
        message = f"a ScaledObject has at most {MOST_CHARACTERS:,} characters; found {len(text):,}"
        raise SourceError(message)
    try:
        loaded, repeated = yaml_documents(text)
        documents = list(_items(loaded))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        _refuse_template(text, error)
        message = f"the ScaledObject is not valid YAML: {_why(error)}"
        raise SourceError(message) from error
    except (AttributeError, LookupError, OverflowError, TypeError) as error:
        message = "the ScaledObject is not valid YAML: a value is not of the type that it states"
        raise SourceError(message) from error
    is_flat = any(isinstance(each, dict) and _is_flat(each) for each in documents)
    if repeated and not is_flat:
        key, line = repeated[0]
        message = f"line {line}: the key {_short(key)!r} stands twice; keep one of them"
        raise SourceError(message)
    if is_flat:
        message = (
            "the YAML has lost its indentation: its trigger and its object are one mapping; paste "
            "it as the file has it, or as kubectl get scaledobject NAME -o yaml prints it"
        )
        raise SourceError(message)
    documents = list(map(_whole, documents))
    scaled = [each for each in documents if _is_scaled_object(each)]
    return next(iter((*scaled, *documents)), None)


def _refuse_template(text: str, error: Exception) -> None:
    """Raise SourceError if the text is a template that something has yet to fill in."""
    if (found := _TEMPLATE.search(text)) is None:
        return
    line = text.count("\n", 0, found.start()) + 1
    message = (
        f"line {line} has a placeholder, {_short(found[0])}: this is a template of a ScaledObject; "
        "paste what helm template, or kubectl get scaledobject NAME -o yaml, prints"
    )
    raise SourceError(message) from error


def unused(document: object) -> list[str]:
    """Return the paths of what the replay does not use, with the reason where there is one."""
    paths = list(_unknown(document, _USED, ""))
    return [f"{_short(path)} ({_WHY[path]})" if path in _WHY else _short(path) for path in paths]


def named(what: list[str]) -> str:
    """Return a sentence that lists what is not used; "" without anything."""
    if not what:
        return ""
    return f"Not used of your ScaledObject: {listed(what, _MOST_NAMED)}."


def _short(path: str) -> str:
    return path if len(path) <= _LONGEST else f"{path[:_LONGEST]}…"


def _whole(document: object) -> object:
    """Return the ScaledObject that a part of one belongs to."""
    part = document
    if isinstance(part, dict) and _OF_METADATA & part.keys():
        part = {"type": "kafka", "metadata": part}
    if isinstance(part, dict) and "type" in part and isinstance(part.get("metadata"), dict):
        part = [part]
    if isinstance(part, list) and part and all(isinstance(e, dict) and "type" in e for e in part):
        part = {"triggers": part}
    if isinstance(part, dict) and "triggers" in part:
        return {"spec": part}
    return document


def _items(documents: Iterable[object]) -> Iterator[object]:
    """Yield documents, those of a list one by one."""
    for document in documents:
        items = document.get("items") if isinstance(document, dict) else None
        if isinstance(items, list):
            yield from items
        elif document is not None:
            yield document


def _is_flat(document: Mapping[Any, Any]) -> bool:
    """Return whether keys of the object and of its trigger's metadata stand side by side."""
    return "kind" in document and bool(_OF_METADATA & document.keys())


def _is_scaled_object(document: object) -> bool:
    if not isinstance(document, dict):
        return False
    spec = document.get("spec")
    has_triggers = isinstance(spec, dict) and "triggers" in spec
    return has_triggers and document.get("kind", "ScaledObject") == "ScaledObject"


def _unknown(document: object, used: Mapping[str, Any], path: str) -> Iterator[str]:
    """Yield the paths below a mapping that are not among the used ones."""
    if not isinstance(document, dict):
        return
    for key, value in document.items():
        below = f"{path}{key}"
        if key in used and used[key] is not None:
            yield from _unknown(value, used[key], f"{below}.")
        elif key not in used and path:
            yield below


def _why(error: Exception) -> str:
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    if mark is None or not isinstance(error, yaml.MarkedYAMLError):
        return str(error)
    return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}"
