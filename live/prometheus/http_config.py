"""How to log in to Prometheus: a file in the format of its own HTTP clients' configuration.

The keys are those of ``<http_config>`` in Prometheus' documentation: ``basic_auth``,
``authorization``, ``tls_config``, the older ``bearer_token`` and ``bearer_token_file``, and
``follow_redirects``, which is read as false, since a redirect may lead to another host. A key that
is unknown, or that this client cannot follow, is refused: a login that is silently left out would
look like a wrong password.
"""

import base64
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from live.errors import PropertyError
from live.prometheus.keys import keys_in

_MOST_BYTES: Final = 1_000_000
_TOP: Final = (
    *("basic_auth", "authorization", "tls_config", "bearer_token", "bearer_token_file"),
    "follow_redirects",
)
_BASIC: Final = ("username", "username_file", "password", "password_file")
_AUTHORIZATION: Final = ("type", "credentials", "credentials_file")
_TLS: Final = (
    *("ca", "ca_file", "cert_file", "key_file", "server_name", "insecure_skip_verify"),
    *("min_version", "max_version"),
)
_VERSIONS: Final = {
    "TLS10": ssl.TLSVersion.TLSv1,
    "TLS11": ssl.TLSVersion.TLSv1_1,
    "TLS12": ssl.TLSVersion.TLSv1_2,
    "TLS13": ssl.TLSVersion.TLSv1_3,
}


@dataclass(frozen=True, repr=False)
class HttpConfig:
    """What goes with every request; never printed, since it holds secrets."""

    authorization: str | None = None
    """The value of the header."""
    tls: Mapping[str, Any] = field(default_factory=dict)
    """The keys of ``tls_config``, with absolute paths."""

    def context(self) -> ssl.SSLContext:
        """Return the TLS settings. Raises PropertyError for files that cannot be used."""
        try:
            context = ssl.create_default_context(
                cafile=self.tls.get("ca_file"), cadata=self.tls.get("ca")
            )
            if self.tls.get("cert_file"):
                context.load_cert_chain(self.tls["cert_file"], self.tls.get("key_file"))
        except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
            message = f"tls_config: the certificates cannot be used: {error}."
            raise PropertyError(message) from None
        if self.tls.get("insecure_skip_verify"):
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if version := self.tls.get("min_version"):
            context.minimum_version = _VERSIONS[version]
        if version := self.tls.get("max_version"):
            context.maximum_version = _VERSIONS[version]
        return context


def basic(user: str, password: str) -> HttpConfig:
    """Return the login of a user."""
    pair = base64.b64encode(f"{user}:{password}".encode()).decode()
    return HttpConfig(f"Basic {pair}")


def bearer(token: str) -> HttpConfig:
    """Return the login by a token. Raises PropertyError for one with a line break in it."""
    return HttpConfig(f"Bearer {_one_line(token.strip(), 'the token')}")


class _Loader(yaml.SafeLoader):
    """Reads no aliases, ten short lines of which are a hundred million values, and no key twice."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(problem="an alias", problem_mark=mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys: set[str] = set()
        for key, _ in node.value:
            if str(key.value) in keys:
                raise yaml.composer.ComposerError(problem="twice", problem_mark=key.start_mark)
            keys.add(str(key.value))
        return super().construct_mapping(node, deep)


def read_http_config(path: Path) -> HttpConfig:
    """Read the file; paths in it are relative to its folder. Raises PropertyError."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        raise PropertyError(message) from None
    if len(data) > _MOST_BYTES:
        message = f"{path} is larger than a configuration of Prometheus' HTTP client can be."
        raise PropertyError(message)
    try:
        tree = yaml.load(data, _Loader)  # noqa: S506 -- a SafeLoader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        # The rest of the error would quote the secret.
        message = f"{path}{where} is not YAML with each key once and without aliases."
        raise PropertyError(message) from None
    return _config_of(keys_in(tree, _TOP, str(path)), path.parent)


def _config_of(tree: Mapping[str, Any], folder: Path) -> HttpConfig:
    given = [
        name for name in ("basic_auth", "authorization", "bearer_token", "bearer_token_file")
        if tree.get(name) is not None
    ]  # fmt: skip
    if len(given) > 1:
        message = f"{given[0]} and {given[1]} exclude each other; keep one."
        raise PropertyError(message)
    if tree.get("follow_redirects"):
        message = "follow_redirects: true is not followed; give the address that answers itself."
        raise PropertyError(message)
    return HttpConfig(_authorization(tree, folder), _tls(tree, folder))


def _authorization(tree: Mapping[str, Any], folder: Path) -> str | None:
    if tree.get("basic_auth") is not None:
        section = keys_in(tree["basic_auth"], _BASIC, "basic_auth")
        user = _secret(section, "username", "username_file", folder) or ""
        password = _secret(section, "password", "password_file", folder) or ""
        return basic(user, password).authorization
    if tree.get("authorization") is not None:
        section = keys_in(tree["authorization"], _AUTHORIZATION, "authorization")
        kind = _one_line(str(section.get("type") or "Bearer").strip(), "authorization.type")
        if kind.lower() == "basic":
            message = 'authorization.type cannot be "basic"; use basic_auth.'
            raise PropertyError(message)
        secret = _secret(section, "credentials", "credentials_file", folder) or ""
        return f"{kind} {secret}"
    token = _secret(tree, "bearer_token", "bearer_token_file", folder)
    return None if token is None else f"Bearer {token}"


def _tls(tree: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    tls = dict(keys_in(tree.get("tls_config") or {}, _TLS, "tls_config"))
    for name in ("ca_file", "cert_file", "key_file"):
        if tls.get(name):
            tls[name] = str(folder / str(tls[name]))
    for name in ("min_version", "max_version"):
        if tls.get(name) and tls[name] not in _VERSIONS:
            message = f"tls_config.{name} is one of {', '.join(_VERSIONS)}, not what is given."
            raise PropertyError(message)
    if not isinstance(tls.get("insecure_skip_verify", False), bool):
        message = "tls_config.insecure_skip_verify is true or false."
        raise PropertyError(message)
    return tls


def _secret(section: Mapping[str, Any], name: str, name_of_file: str, folder: Path) -> str | None:
    value, file = section.get(name), section.get(name_of_file)
    if value is not None and file is not None:
        message = f"{name} and {name_of_file} exclude each other; keep one."
        raise PropertyError(message)
    if file is None:
        return None if value is None else _one_line(str(value), name)
    try:
        text = (folder / str(file)).read_text()
    except (OSError, UnicodeError) as error:
        message = f"{name_of_file} cannot be read: {getattr(error, 'strerror', 'not text')}."
        raise PropertyError(message) from None
    return _one_line(text.strip(), name_of_file)


def _one_line(text: str, name: str) -> str:
    if any(ord(letter) < ord(" ") for letter in text) or not text.isascii():
        message = f"{name} must be one line of ASCII, as a header of HTTP is."
        raise PropertyError(message)
    return text
