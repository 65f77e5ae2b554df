"""Java-only settings in librdkafka's properties: login modules and key stores."""

import re
from collections.abc import Mapping
from typing import Final

from live.errors import PropertyError

_JAAS: Final = "sasl.jaas.config"
_JAAS_OPTION: Final = re.compile(
    r"""(?<![\w.])([\w.]+)\s*=\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s;]+)"""
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_QUOTED: Final = 2

_LOGIN: Final = {"username": "sasl.username", "password": "sasl.password"}
_LOGIN_MODULES: Final[Mapping[str, Mapping[str, str]]] = {
    "PlainLoginModule": _LOGIN,
    "ScramLoginModule": _LOGIN,
    "OAuthBearerLoginModule": {
        "clientId": "sasl.oauthbearer.client.id",
        "clientSecret": "sasl.oauthbearer.client.secret",
        "scope": "sasl.oauthbearer.scope",
    },
    "Krb5LoginModule": {
        "keyTab": "sasl.kerberos.keytab",
        "principal": "sasl.kerberos.principal",
        "serviceName": "sasl.kerberos.service.name",
    },
}
_PKCS12_ENDINGS: Final = (".p12", ".pfx")
_PEM_ENDINGS: Final = (".pem", ".crt", ".cer")
_PEM_PROPERTIES: Final = {
    "ssl.truststore.certificates": "ssl.ca.pem",
    "ssl.keystore.key": "ssl.key.pem",
    "ssl.keystore.certificate.chain": "ssl.certificate.pem",
}
NAMES: Final = frozenset(
    {_JAAS, *_PEM_PROPERTIES}
    | {
        f"ssl.{store}.{part}"
        for store in ("truststore", "keystore")
        for part in ("type", "location", "password")
    }
)
"""The properties translated here; librdkafka has some of them under the same name."""


def translated(given: Mapping[str, str]) -> dict[str, str]:
    """Return librdkafka's equivalents of the login module, the trust store and the key store.

    Both clients read PEM, from files or from the properties; librdkafka reads PKCS#12 only for the
    key. Raises PropertyError with the way out for any other store or module.
    """
    login = login_properties(given[_JAAS]) if _JAAS in given else {}
    pem = {own: given[name] for name, own in _PEM_PROPERTIES.items() if given.get(name)}
    return {**pem, **_truststore(given), **_keystore(given), **login}


def login_properties(jaas_config: str) -> dict[str, str]:
    r"""Return the options of the login module by librdkafka's names; errors never quote the text.

    >>> login_properties('a.b.PlainLoginModule required username="u" password="p\\"q";')
    {'sasl.username': 'u', 'sasl.password': 'p"q'}
    """
    name, _, rest = jaas_config.strip().partition(" ")
    module = name.rpartition(".")[2]
    if module not in _LOGIN_MODULES:
        message = (
            f"{_JAAS} names a login module that only Java has; known are "
            f"{', '.join(_LOGIN_MODULES)}. Give sasl.mechanism, sasl.username and sasl.password "
            "instead."
        )
        raise PropertyError(message)
    names = _LOGIN_MODULES[module]
    options = _JAAS_OPTION.findall(rest)
    properties = {names[option]: _unquoted(value) for option, value in options if option in names}
    if names is _LOGIN and len(properties) < len(names):
        message = f'{_JAAS} lacks username="..." or password="..." after {module} required.'
        raise PropertyError(message)
    return properties


def _unquoted(value: str) -> str:
    if len(value) >= _QUOTED and value[0] in "\"'" and value[-1] == value[0]:
        return _ESCAPE.sub(r"\1", value[1:-1])
    return value


def _truststore(given: Mapping[str, str]) -> dict[str, str]:
    location = given.get("ssl.truststore.location")
    if not location:
        return {}
    if _store_type(given, "truststore", location) != "PEM":
        message = (
            "ssl.truststore.location is a store that only Java reads; write its certificates to a "
            "PEM file (keytool -list -rfc -keystore STORE > ca.pem) and give ssl.ca.location."
        )
        raise PropertyError(message)
    return {"ssl.ca.location": location}


def _keystore(given: Mapping[str, str]) -> dict[str, str]:
    location = given.get("ssl.keystore.location")
    if not location:
        return {}
    kind = _store_type(given, "keystore", location)
    if kind == "PEM":
        return {"ssl.certificate.location": location, "ssl.key.location": location}
    if kind == "PKCS12":
        password = given.get("ssl.keystore.password", "")
        return {"ssl.keystore.location": location, "ssl.keystore.password": password}
    message = (
        "ssl.keystore.location is a Java key store (JKS), which only Java reads; convert it "
        "(keytool -importkeystore -srckeystore STORE -destkeystore key.p12 -deststoretype "
        "PKCS12) and give key.p12 instead."
    )
    raise PropertyError(message)


def _store_type(given: Mapping[str, str], store: str, location: str) -> str:
    """Return the type as given, else by the file's extension; Java's default is JKS."""
    stated = given.get(f"ssl.{store}.type", "").upper()
    if stated:
        return stated
    if location.lower().endswith(_PKCS12_ENDINGS):
        return "PKCS12"
    return "PEM" if location.lower().endswith(_PEM_ENDINGS) else "JKS"
