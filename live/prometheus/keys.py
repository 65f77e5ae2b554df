"""Keys of a configuration that somebody wrote: those that are known, or a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

from live.errors import PropertyError


def keys_in(tree: object, known: Sequence[str], where: str) -> Mapping[str, Any]:
    """Return a table of a configuration. Raises PropertyError where it is none or has other keys.

    >>> keys_in({"ca_file": "ca.pem"}, ("ca_file", "cert_file"), "tls_config")
    {'ca_file': 'ca.pem'}
    """
    if not isinstance(tree, dict):
        message = f"{where} must be keys with values; known are {', '.join(known)}."
        raise PropertyError(message)
    unknown = next((name for name in tree if name not in known), None)
    if unknown is not None:
        message = f"{where} has no key {str(unknown)[:60]!r}; known are {', '.join(known)}."
        raise PropertyError(message)
    return tree
