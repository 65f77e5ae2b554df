"""Whether only this machine can open the page, which decides what visitors may access.

Addresses are compared as text: no name is resolved, so DNS cannot change the answer.
"""

import ipaddress
import re
from collections.abc import Mapping
from typing import Final

import streamlit as st

_HOST: Final = re.compile(
    r"(?:[A-Za-z][A-Za-z+.-]*:)?//(\[[\dA-Fa-f:.]+\]|[^][:/@?#\\\s]+)(?::\d{1,5})?"
)
"""An Origin, or a Host after //: nothing that browsers never send."""
_ADDRESS_ENDINGS: Final = ("-ip", "-clientip", "-address", "-addr")
"""Proxies pass a visitor's address as X-Real-IP, CF-Connecting-IP, X-Azure-ClientIP and so on."""


def serves_this_machine_alone() -> bool:
    """Return whether only this machine can open the page, as far as the server can know."""
    return is_ours_alone(st.get_option("server.address"), st.context.headers)


def is_ours_alone(address: str | None, headers: Mapping[str, str]) -> bool:
    """Return the same for the address that Streamlit listens on and a request's headers.

    No address means every address, Streamlit's default. A proxy may still let others in; the
    headers that it adds reveal it. So may the browser of whoever sits at this machine: a page of
    another host can resolve its own name to this machine (DNS rebinding), and still sends that
    name as Host and Origin.
    """
    named = {name.lower(): value for name, value in headers.items()}
    return (
        is_loopback(address)
        and not any(map(_is_of_a_proxy, named))
        and _is_of_this_machine(f"//{named.get('host', 'localhost')}")
        and _is_of_this_machine(named.get("origin", "//localhost"))
    )


def _is_of_this_machine(url: str) -> bool:
    found = _HOST.fullmatch(url)
    return found is not None and is_loopback(found[1])


def _is_of_a_proxy(header: str) -> bool:
    name = header.replace("_", "-")
    return name == "via" or "forwarded" in name or name.endswith(_ADDRESS_ENDINGS)


def is_loopback(address: str | None) -> bool:
    """Return whether a server at this address is reachable only from its own machine.

    >>> is_loopback("localhost"), is_loopback("[::1]"), is_loopback("0.0.0.0"), is_loopback(None)
    (True, True, False, False)
    """
    if not address:
        return False
    in_brackets = address.startswith("[") and address.endswith("]")
    try:
        return ipaddress.ip_address(address[1:-1] if in_brackets else address).is_loopback
    except ValueError:
        return address.lower() == "localhost"
