"""``sasl.jaas.config``, as Java clients have it, in librdkafka's properties."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from live.errors import PropertyError

_NAME: Final = "sasl.jaas.config"
_NAME_OF_OPTION: Final = re.compile(r"(?<![\w.])([\w.]+)\s*=\s*")
_QUOTED_VALUES: Final = {
    '"': re.compile(r'"(?:\\.|[^"\\])*"'),
    "'": re.compile(r"'(?:\\.|[^'\\])*'"),
}
_BARE_VALUE: Final = re.compile(r"[^\s;]+")
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
    options = {option: _unquoted(value) for option, value in _options(rest)}
    names = _MODULES[module]
    found = {names[option]: value for option, value in options.items() if option in names}
    if names is _LOGIN and len(found) < len(names):
        message = f'{_NAME} lacks username="..." or password="..." after {module} required.'
        raise PropertyError(message)
    return found


def _options(text: str) -> Iterator[tuple[str, str]]:
    """Yield names and values, quoted as they stand, in one pass.

    A quote that is never closed begins a bare value. The search for its end went through the
    whole text, so no later quote of its kind is closed either, and none is searched for.
    """
    patterns = dict(_QUOTED_VALUES)
    start = 0
    while (name := _NAME_OF_OPTION.search(text, start)) is not None:
        start = name.end()
        quote = text[start : start + 1]
        value = patterns[quote].match(text, start) if quote in patterns else None
        if value is None:
            patterns.pop(quote, None)
            value = _BARE_VALUE.match(text, start)
        if value is not None:
            start = value.end()
            yield name[1], value[0]


def _unquoted(value: str) -> str:
    if len(value) >= _QUOTED and value[0] in "\"'" and value[-1] == value[0]:
        return _ESCAPE.sub(r"\1", value[1:-1])
    return value
