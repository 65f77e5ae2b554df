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
    assert is_ours_alone(address, {"Host": "localhost:8501", "User-Agent": "x"}) is is_loopback


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
    assert not is_ours_alone("localhost", {"Host": "localhost", header: "x"})


def test_what_browsers_send_by_themselves_is_of_no_proxy() -> None:
    headers = [
        *("Connection", "User-Agent", "Accept", "Accept-Encoding", "Accept-Language"),
        *("Cache-Control", "Pragma", "Upgrade", "Upgrade-Insecure-Requests", "Cookie"),
        *("Referer", "DNT", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-Fetch-Dest"),
        *("Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol", "Sec-CH-UA-Platform"),
    ]

    own = {"Host": "localhost:8501", "Origin": "http://localhost:8501"}

    assert is_ours_alone("localhost", dict.fromkeys(headers, "x") | own)


@pytest.mark.parametrize("host", ["localhost", "localhost:8501", "127.0.0.1:8501", "[::1]:80"])
def test_a_visitor_who_asks_for_this_machine_is_local(host: str) -> None:
    assert is_ours_alone("localhost", {"Host": host, "Origin": f"http://{host}"})


@pytest.mark.parametrize(
    "host",
    [
        *("evil.test", "evil.test:8501", "localhost.evil.test", "127.0.0.1.evil.test:8501"),
        *("localhost@evil.test", "evil.test#localhost", "localhost.", "0.0.0.0:8501", "[::"),
        *("", "null", "2130706433", "127.1"),
    ],
)
def test_a_page_that_rebinds_its_own_name_to_this_machine_is_not_local(host: str) -> None:
    assert not is_ours_alone("localhost", {"Host": host})
    assert not is_ours_alone("localhost", {"Host": "localhost", "Origin": f"http://{host}"})
