"""Java's key stores and trust stores, in librdkafka's properties, as far as they can be read."""

from collections.abc import Mapping
from typing import Final

from live.errors import PropertyError

_PKCS12_ENDINGS: Final = (".p12", ".pfx")
_PEM_ENDINGS: Final = (".pem", ".crt", ".cer")
NAMES: Final = frozenset(
    f"ssl.{store}.{what}"
    for store, parts in {
        "truststore": ("type", "location", "password", "certificates"),
        "keystore": ("type", "location", "password", "key", "certificate.chain"),
    }.items()
    for what in parts
)
"""What is read here; some of them librdkafka knows by the same name."""


def properties_of(given: Mapping[str, str]) -> dict[str, str]:
    """Return what the stores hold, by librdkafka's names.

    PEM, in files or in the properties, is read by both; PKCS#12 by librdkafka for the key
    alone. Raises PropertyError with the command that converts any other store.
    """
    found: dict[str, str] = {}
    _add_trust(given, found)
    _add_key(given, found)
    return found


def _add_trust(given: Mapping[str, str], found: dict[str, str]) -> None:
    if given.get("ssl.truststore.certificates"):
        found["ssl.ca.pem"] = given["ssl.truststore.certificates"]
    location = given.get("ssl.truststore.location")
    if not location:
        return
    if _kind(given, "truststore", location) != "PEM":
        message = (
            "ssl.truststore.location is a store that only Java reads; write its certificates to a "
            "PEM file (keytool -list -rfc -keystore STORE > ca.pem) and give ssl.ca.location."
        )
        raise PropertyError(message)
    found["ssl.ca.location"] = location


def _add_key(given: Mapping[str, str], found: dict[str, str]) -> None:
    for name, own in (("key", "ssl.key.pem"), ("certificate.chain", "ssl.certificate.pem")):
        if given.get(f"ssl.keystore.{name}"):
            found[own] = given[f"ssl.keystore.{name}"]
    location = given.get("ssl.keystore.location")
    if not location:
        return
    kind = _kind(given, "keystore", location)
    if kind == "PEM":
        found |= {"ssl.certificate.location": location, "ssl.key.location": location}
    elif kind == "PKCS12":
        found["ssl.keystore.location"] = location
        found["ssl.keystore.password"] = given.get("ssl.keystore.password", "")
    else:
        message = (
            "ssl.keystore.location is a Java key store (JKS), which only Java reads; convert it "
            "(keytool -importkeystore -srckeystore STORE -destkeystore key.p12 -deststoretype "
            "PKCS12) and give key.p12 instead."
        )
        raise PropertyError(message)


def _kind(given: Mapping[str, str], store: str, location: str) -> str:
    """Return the store's type: as given, or as its file's ending says, else Java's own."""
    stated = given.get(f"ssl.{store}.type", "").upper()
    if stated:
        return stated
    if location.lower().endswith(_PKCS12_ENDINGS):
        return "PKCS12"
    return "PEM" if location.lower().endswith(_PEM_ENDINGS) else "JKS"
