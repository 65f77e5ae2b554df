import pytest

from live.errors import PropertyError
from live.properties import Properties
from ui.connect.policy import VARIABLE, _flat, policy


@pytest.mark.parametrize("said", ["off", "OFF", " off "])
def test_off_is_off(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, said)

    assert not policy().is_on


def test_only_listed_servers_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "b1:9092, *.example.com:9093")

    access = policy().access

    assert access is not None
    assert access.allows("b1", 9092)
    assert access.allows("x.example.com", 9093)
    assert not access.allows("x.example.com", 9092)


def test_any_server_still_limits_the_properties(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "any")

    access = policy().access

    assert access is not None
    assert access.allows("b1", 9092)
    with pytest.raises(PropertyError, match=r"ssl\.ca\.location cannot"):
        access.check(Properties({"bootstrap.servers": "b1", "ssl.ca.location": "/ca.pem"}))


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
