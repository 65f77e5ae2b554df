"""Whatever Host and Origin a stranger sends, only a page of this server counts as its own."""

from random import Random
from typing import Final, NamedTuple

import pytest
from starlette.datastructures import Headers

from ui.gate import is_own
from ui.loopback import is_ours_alone

EVERY_DAY: Final = 5_000
DEEP: Final = 1_000_000
_PART: Final = 250_000
_OURS: Final = ("localhost", "127.0.0.1", "127.9.8.7", "[::1]", "LocalHost")
_OTHERS: Final = (
    *("evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "0.0.0.0", "[::]", "10.0.0.1"),  # noqa: S104 -- a Host
    *(
        "2130706433",
        "127.1",
        "0x7f000001",
        "[::ffff:10.0.0.1]",
        "xn--lcalhost-r4e",
        "localhost.",
        "",
    ),
    *("x" * 300, "[", "evil.test@localhost", "localhost@evil.test", "localhost#@evil.test"),
)
_PORTS: Final = ("", ":8501", ":80", ":99999")
_SCHEMES: Final = ("http://", "https://", "HTTP://")
_NO_PAGE: Final = ("null", "", "file://", "http://[::", "//", "http:", "\x00", "about:blank", "é")
_PROXIES: Final = ("X-Forwarded-For", "Forwarded", "Via", "CF-Connecting-IP", "x_real_ip")


class Sent(NamedTuple):
    """Headers, with what they are by the way they were made."""

    headers: dict[str, str]
    is_own: bool | None
    """None where no browser would send these two."""
    is_local: bool


def sent(number: int) -> Sent:
    """Return the headers of a number."""
    drawn = Random(number)  # noqa: S311 -- the same headers for the same number
    is_local = drawn.random() < 0.5
    host = drawn.choice(_OURS if is_local else _OTHERS) + drawn.choice(_PORTS)
    kind = drawn.choice(["none", "same", "same", "other", "longer", "no page"])
    origin = {
        "same": drawn.choice(_SCHEMES) + drawn.choice([host, host.upper(), host.lower()]),
        "other": drawn.choice(_SCHEMES) + drawn.choice(_OTHERS[:8]) + ":1",
        "longer": f"http://{host}{drawn.choice(['.evil.test', '@evil.test'])}",
        "no page": drawn.choice(_NO_PAGE),
    }.get(kind)
    headers = {"Host": host}
    if origin is not None:
        headers["Origin"] = origin
    if drawn.random() < 0.2:
        headers[drawn.choice(_PROXIES)] = "x"
    is_sent = not any(each in host for each in "@#") and host[:1] not in {"", ":", "["}
    return Sent(
        headers,
        is_own=kind in {"none", "same"} if is_sent or kind not in {"none", "same"} else None,
        is_local=is_local and kind in {"none", "same"} and not headers.keys() - {"Host", "Origin"},
    )


def _is_judged(number: int) -> None:
    made = sent(number)
    headers = {
        name: value.encode("utf-8").decode("latin-1") for name, value in made.headers.items()
    }
    assert made.is_own is None or is_own(Headers(headers)) == made.is_own, made
    assert is_ours_alone("localhost", made.headers) <= made.is_local, made
    assert not is_ours_alone("0.0.0.0", made.headers)  # noqa: S104 -- a public page


def test_no_drawn_host_or_origin_passes_for_this_servers_own() -> None:
    for number in range(EVERY_DAY):
        _is_judged(number)


@pytest.mark.deep
@pytest.mark.parametrize("start", range(EVERY_DAY, DEEP, _PART))
def test_none_of_very_many_hosts_and_origins_passes_for_this_servers_own(start: int) -> None:
    for number in range(start, min(start + _PART, DEEP)):
        _is_judged(number)
