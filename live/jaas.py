"""``sasl.jaas.config``, as Java clients have it, in librdkafka's properties."""

import re
from collections.abc import Mapping
from typing import Final

from live.errors import PropertyError

_NAME: Final = "sasl.jaas.config"
_OPTION: Final = re.compile(
    r"""(?<![\w.])([\w.]+)\s*=\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s;]+)"""
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_QUOTED: Final = 2

_LOGIN: Final = {"username": "sasl.username", "password": "sasl.password"}
_OAUTH: Final = {
    "clientId": "sasl.oauthbearer.client.id",
    "clientSecret": "sasl.oauthbearer.client.secret",
    "scope": "sasl.oauthbearer.scope",
}
_KERBEROS: Final = {
    "keyTab": "sasl.kerberos.keytab",
    "principal": "sasl.kerberos.principal",
    "serviceName": "sasl.kerberos.service.name",
}
_MODULES: Final[Mapping[str, Mapping[str, str]]] = {
    "PlainLoginModule": _LOGIN,
    "ScramLoginModule": _LOGIN,
    "OAuthBearerLoginModule": _OAUTH,
    "Krb5LoginModule": _KERBEROS,
}


def properties_of(config: str) -> dict[str, str]:
    r"""Return what the login module is told, by librdkafka's names; never quotes the text.

    Raises PropertyError for a module that librdkafka has no equal of.

    >>> properties_of('a.b.PlainLoginModule required username="u" password="p\\"q";')
    {'sasl.username': 'u', 'sasl.password': 'p"q'}
    """
    name, _, rest = config.strip().partition(" ")
    module = name.rpartition(".")[2]
    if module not in _MODULES:
        message = (
            f"{_NAME} names a login module that only Java has; known are "
            f"{', '.join(_MODULES)}. Give sasl.mechanism, sasl.username and sasl.password instead."
        )
        raise PropertyError(message)
    options = {option: _unquoted(value) for option, value in _OPTION.findall(rest)}
    names = _MODULES[module]
    found = {names[option]: value for option, value in options.items() if option in names}
    if names is _LOGIN and len(found) < len(names):
        message = f'{_NAME} lacks username="..." or password="..." after {module} required.'
        raise PropertyError(message)
    return found


def _unquoted(value: str) -> str:
    if len(value) >= _QUOTED and value[0] in "\"'" and value[-1] == value[0]:
        return _ESCAPE.sub(r"\1", value[1:-1])
    return value
