import pytest

from live.access import Access, access_to
from live.cluster import connect
from live.errors import PropertyError
from live.properties import Properties

LISTED = access_to(["B1.example.com", "*.kafka.example.com:9093", "[::1]:9092"])


@pytest.mark.parametrize(
    ("host", "port", "is_allowed"),
    [
        ("b1.example.com", 9092, True),
        ("B1.EXAMPLE.COM", 9092, True),
        ("b1.example.com", 9093, False),
        ("x.kafka.example.com", 9093, True),
        ("kafka.example.com.evil.org", 9093, False),
        ("b1.example.com.evil.org", 9092, False),
        ("::1", 9092, True),
        ("169.254.169.254", 80, False),
        ("localhost", 9092, False),
        ("127.0.0.1 x.kafka.example.com", 9093, False),
        ("evil.org/x.kafka.example.com", 9093, False),
        ("fe80::1%x.kafka.example.com", 9093, False),
    ],
)
def test_only_listed_servers_are_allowed(host: str, port: int, is_allowed: bool) -> None:
    assert LISTED.allows(host, port) is is_allowed


def test_a_port_is_the_whole_port() -> None:
    assert not access_to(["b2:909"]).allows("b2", 9092)
    assert not access_to(["b2:9092"]).allows("b2", 909)


def test_servers_are_written_out_as_they_were_checked() -> None:
    found = LISTED.check(Properties({"bootstrap.servers": " b1.example.com , [::1]"}))

    assert found.servers == "b1.example.com:9092,[::1]:9092"


@pytest.mark.parametrize(
    "servers",
    [
        "b1.example.com:9092,10.0.0.1:9092",
        "SSL://b1.example.com:9092",
        "b1.example.com:9092 10.0.0.1:9092",
        "b1.example.com:9092;10.0.0.1",
        "user:canary-9f3a@b1.example.com:9092",
        "b1.example.com:9092/",
        "10.0.0.1:9092\n,b1.example.com",
    ],
)
def test_a_list_that_could_lead_elsewhere_is_refused_and_passwords_in_it_not_quoted(
    servers: str,
) -> None:
    with pytest.raises(PropertyError) as refused:
        LISTED.check(Properties({"bootstrap.servers": servers}))

    assert "canary" not in str(refused.value)


@pytest.mark.parametrize(
    "name",
    [
        "plugin.library.paths",
        "ssl.ca.location",
        "ssl.key.location",
        "ssl.certificate.location",
        "ssl.keystore.location",
        "ssl.crl.location",
        "ssl.engine.location",
        "ssl.engine.id",
        "ssl.providers",
        "https.ca.location",
        "sasl.kerberos.kinit.cmd",
        "sasl.kerberos.keytab",
        "sasl.oauthbearer.token.endpoint.url",
        "sasl.oauthbearer.config",
        "debug",
        "log_level",
        "statistics.interval.ms",
        "metadata.broker.list",
    ],
)
@pytest.mark.parametrize("access", [LISTED, Access()], ids=["listed servers", "any server"])
def test_no_visitor_reaches_into_the_machine_by_a_property(name: str, access: Access) -> None:
    with pytest.raises(PropertyError, match=name.replace(".", r"\.")):
        access.check(Properties({"bootstrap.servers": "b1.example.com", name: "x"}))


@pytest.mark.parametrize("mechanism", [None, "GSSAPI", "OAUTHBEARER", "gssapi"])
@pytest.mark.parametrize("protocol", ["SASL_SSL", "sasl_plaintext"])
def test_no_visitor_makes_the_machine_start_kinit_or_fetch_a_token(
    mechanism: str | None, protocol: str
) -> None:
    given = {"bootstrap.servers": "b1.example.com", "security.protocol": protocol}
    if mechanism is not None:
        given["sasl.mechanism"] = mechanism

    with pytest.raises(PropertyError, match="SCRAM-SHA-256"):
        Access().check(Properties(given))


def test_without_limits_any_property_reaches_the_client() -> None:
    properties = Properties({"bootstrap.servers": "a:1", "ssl.ca.location": "/nowhere/ca.pem"})

    with pytest.raises(PropertyError, match=r"ssl\.ca\.location failed"):
        connect(properties | {"security.protocol": "ssl"})
