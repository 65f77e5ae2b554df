"""Whether only this machine can open the page, which decides what a visitor may reach.

Addresses are judged as text: no name is looked up, so a name server cannot change the answer.
"""

import ipaddress
from collections.abc import Iterable
from typing import Final

import streamlit as st

_ADDRESS_ENDINGS: Final = ("-ip", "-clientip", "-address", "-addr")
"""X-Real-IP, CF-Connecting-IP, X-Azure-ClientIP: so proxies pass a visitor's address on."""


def serves_this_machine_alone() -> bool:
    """Return whether only this machine can open the page, as far as the server can know."""
    return is_ours_alone(st.get_option("server.address"), st.context.headers)


def is_ours_alone(address: str | None, headers: Iterable[str]) -> bool:
    """Return the same for the address that Streamlit listens on and a request's headers.

    No address is every address, Streamlit's default. A proxy in front may let others in even
    so; it shows by the names of the headers that it adds.
    """
    return is_loopback(address) and not any(map(_is_of_a_proxy, headers))


def _is_of_a_proxy(header: str) -> bool:
    name = header.lower().replace("_", "-")
    return name == "via" or "forwarded" in name or name.endswith(_ADDRESS_ENDINGS)


def is_loopback(address: str | None) -> bool:
    """Return whether a server that listens there is reached from its own machine alone.

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
