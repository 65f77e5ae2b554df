import pytest

from ui.loopback import is_ours_alone


@pytest.mark.parametrize(
    ("address", "is_loopback"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("[::1]", True),
        ("LOCALHOST", True),
        ("[::]", False),
        ("[localhost]", False),
        (None, False),
        ("", False),
        ("0.0.0.0", False),  # noqa: S104 -- a public page, which must be detected
        ("::", False),
        ("192.168.0.4", False),
        ("example.com", False),
        ("localhost.example.com", False),
    ],
)
def test_only_an_address_of_the_machine_itself_is_loopback(
    address: str | None, is_loopback: bool
) -> None:
    assert is_ours_alone(address, ["Host", "User-Agent"]) is is_loopback


@pytest.mark.parametrize(
    "header",
    [
        *("Forwarded", "X-Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Forwarded-Proto"),
        *("X-Forwarded-Server", "X-Original-Forwarded-For", "Via", "X-Real-IP", "X_Real_IP"),
        *("X-Client-IP", "X-Cluster-Client-IP", "CF-Connecting-IP", "True-Client-IP"),
        *("Fastly-Client-IP", "X-Azure-ClientIP", "X-ProxyUser-Ip", "Remote-Addr"),
        "X-Envoy-External-Address",
    ],
)
def test_a_visitor_behind_a_proxy_is_not_local(header: str) -> None:
    assert not is_ours_alone("localhost", ["Host", header])


def test_what_browsers_send_by_themselves_is_of_no_proxy() -> None:
    headers = [
        *("Host", "Connection", "User-Agent", "Accept", "Accept-Encoding", "Accept-Language"),
        *("Cache-Control", "Pragma", "Upgrade", "Upgrade-Insecure-Requests", "Origin", "Cookie"),
        *("Referer", "DNT", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-Fetch-Dest"),
        *("Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol", "Sec-CH-UA-Platform"),
    ]

    assert is_ours_alone("localhost", headers)
