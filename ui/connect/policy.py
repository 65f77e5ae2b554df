"""Whether this server may connect to clusters for its visitors, and to which ones.

A page that others can open must not give them access to the server's network. So connecting is off
unless only this machine can open the page, or the environment switches it on.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from live.access import Access, access_to
from ui.loopback import serves_this_machine_alone

VARIABLE: Final = "KAFKA_ASSIGNMENTS_CONNECT"
"""``off``, ``any``, ``named``, or servers such as ``b1:9092,*.example.com:9093``."""
_SECTION: Final = "kafka"
_METRICS: Final = "prometheus"


@dataclass(frozen=True)
class Policy:
    """The clusters that visitors may connect to."""

    access: Access | None = None
    """The servers that they may enter; None if they may not."""
    has_named: bool = False
    """Whether they may choose the clusters of the secrets file."""

    @property
    def is_on(self) -> bool:
        """Whether anything may be connected to."""
        return self.access is not None or (
            self.has_named and bool({**named_clusters(), **named_metrics()})
        )


def policy() -> Policy:
    """Return the policy of the environment, else a safe one for those who can open the page."""
    setting = os.environ.get(VARIABLE, "").strip()
    word = setting.lower() or ("any" if serves_this_machine_alone() else "off")
    if word == "off":
        return Policy()
    if word == "named":
        return Policy(has_named=True)
    if word == "any":
        return Policy(Access(), has_named=True)
    servers = [each for each in setting.split(",") if each.strip()]
    return Policy(access_to(servers), has_named=True)


def named_clusters() -> Mapping[str, Mapping[str, str]]:
    """Return the client properties of each ``[kafka.NAME]`` in Streamlit's secrets file.

    Dots in a property's name may be quoted or not: ``sasl.password = "..."`` is a table in
    TOML and means the same here.
    """
    return _sections(_SECTION)


def named_metrics() -> Mapping[str, Mapping[str, str]]:
    """Return the keys of each ``[prometheus.NAME]`` there: url, and those of a login."""
    return _sections(_METRICS)


def _sections(of: str) -> Mapping[str, Mapping[str, str]]:
    if not st.secrets.load_if_toml_exists():
        return {}
    sections = st.secrets.get(of, {})
    return {name: _flat(section) for name, section in sections.items()}


def _flat(section: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    names: dict[str, str] = {}
    for name, value in section.items():
        if isinstance(value, Mapping):
            names |= _flat(value, f"{prefix}{name}.")
        else:
            names[prefix + name] = str(value).lower() if isinstance(value, bool) else str(value)
    return names
