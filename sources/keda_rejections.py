"""Why KEDA 2, or Kubernetes before it, would not take a ScaledObject as written."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from evaluation.wording import listed

_API: Final = "keda.sh/v1alpha1"
_SASL: Final = (
    *("none", "plaintext", "scram_sha256", "scram_sha512", "gssapi", "oauthbearer"),
    "aws_msk_iam",
)
_TLS: Final = ("enable", "disable")
_NAMED: Final = (("bootstrapServers", "brokerList"), ("consumerGroup", None))
"""What a Kafka trigger must state, here or FromEnv, and its name in KEDA 1."""
_LONGEST: Final = 60


def rejections(document: object) -> Iterator[str]:
    """Yield the reasons, each without a full stop; what is missing counts in whole objects only.

    After KEDA 2.21: the CRD's schema, the admission webhook and ``parseKafkaMetadata``. What makes
    a replay impossible is an error of ``read_scaled_object`` instead.
    """
    if not isinstance(document, dict) or not isinstance(document.get("spec"), dict):
        return
    spec, is_whole = document["spec"], bool({"apiVersion", "kind"} & document.keys())
    api = document.get("apiVersion")
    if is_whole and api != _API:
        of = "KEDA 1's" if str(api).startswith("keda.k8s.io") else "not KEDA 2's"
        stated = f"apiVersion {str(api)[:_LONGEST]} is {of}" if api else "apiVersion is missing"
        yield f"{stated}; it takes {_API}"
    target = spec.get("scaleTargetRef")
    target = target if isinstance(target, dict) else {}
    if "deploymentName" in target and "name" not in target:
        yield "scaleTargetRef.deploymentName is KEDA 1's; KEDA 2 takes scaleTargetRef.name"
    elif is_whole and "name" not in target:
        yield "scaleTargetRef.name is missing"
    triggers = [each for each in spec.get("triggers") or () if isinstance(each, dict)]
    names = [str(each["name"]) for each in triggers if each.get("name")]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        yield f"two triggers have the name {twice[0][:_LONGEST]}"
    for number, trigger in enumerate(triggers):
        if str(trigger.get("type")).endswith("kafka") and isinstance(trigger.get("metadata"), dict):
            yield from _of_trigger(f"triggers[{number}]", trigger, is_whole=is_whole)


def _of_trigger(path: str, trigger: Mapping[str, Any], *, is_whole: bool) -> Iterator[str]:
    metadata = trigger["metadata"]
    for name, before in _NAMED:
        if name in metadata or f"{name}FromEnv" in metadata:
            continue
        if before in metadata:
            yield f"{path}.metadata.{before} is KEDA 1's; KEDA 2 takes {name}"
        elif is_whole:
            yield f"{path}.metadata.{name} is missing"
    bare = [str(name)[:_LONGEST] for name, value in metadata.items() if not isinstance(value, str)]
    if bare:
        yield f"values of {path}.metadata must be texts: put {listed(bare)} in quotes"
    if trigger.get("metricType") == "Utilization":
        yield f"{path}.metricType must be AverageValue or Value"
    for name, known in (("sasl", _SASL), ("tls", _TLS)):
        value = metadata.get(name)
        if isinstance(value, str) and value.strip() not in known:
            yield f"{path}.metadata.{name} must be {', '.join(known[:-1])} or {known[-1]}"
    sasl = metadata.get("sasl", "none")
    if sasl in _SASL and sasl != "none" and not trigger.get("authenticationRef"):
        yield f"{path} has sasl without an authenticationRef, which holds the user and password"
