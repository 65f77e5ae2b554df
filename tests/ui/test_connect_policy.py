import pytest

from ui.connect_policy import VARIABLE, _flat, is_ours_alone, policy


@pytest.mark.parametrize(
    ("address", "is_loopback"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        (None, False),
        ("", False),
        ("0.0.0.0", False),  # noqa: S104 -- a page open to everybody, which must be told apart
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
    "header", ["X-Forwarded-For", "x-forwarded-host", "Forwarded", "X-Real-IP"]
)
def test_a_visitor_whom_a_proxy_passed_on_is_not_ours(header: str) -> None:
    assert not is_ours_alone("localhost", ["Host", header])


@pytest.mark.parametrize("said", ["off", "OFF", " off "])
def test_off_is_off(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, said)

    assert not policy().is_on


def test_listed_servers_alone_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "b1:9092, *.example.com:9093")

    access = policy().access

    assert access is not None
    assert access.allows("b1", 9092)
    assert access.allows("x.example.com", 9093)
    assert not access.allows("x.example.com", 9092)
    assert access.limits_properties


def test_any_server_still_limits_the_properties(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "any")

    access = policy().access

    assert access is not None
    assert access.allows("b1", 9092)
    assert access.limits_properties


def test_named_clusters_alone_leave_nothing_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "named")

    assert policy().access is None
    assert policy().has_named


def test_tables_of_toml_are_the_dotted_names_of_kafka() -> None:
    section = {"bootstrap": {"servers": "b:9092"}, "sasl.password": "w", "ssl": {"x": {"y": True}}}

    assert _flat(section) == {
        "bootstrap.servers": "b:9092",
        "sasl.password": "w",
        "ssl.x.y": "true",
    }
