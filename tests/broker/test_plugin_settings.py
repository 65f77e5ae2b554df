"""The settings of the Java assignor, and the jars themselves."""

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from plugins.build import BROKERS, CONSUMERS, Jar, build
from tests.broker.java_harness import Harness, HarnessError
from tests.pipeline.rates import weights_file

pytestmark = pytest.mark.needs("broker")

_SERVERS = {"bootstrap.servers": "127.0.0.1:1", "group.id": "g"}


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("protocol", "both", "expected cooperative or eager"),
        ("timeout.ms", "0", "expected a whole number of milliseconds from 1"),
        ("timeout.ms", "100000", "at most a quarter of max.poll.interval.ms, 75000"),
        ("horizon.ms", "5 min", "expected a whole number of milliseconds from 0"),
        ("moves.share", "10", "expected a number from 0 to 1"),
        ("tolerance", "NaN", "expected a number from 0 to 1"),
        ("log.inputs", "yes", "expected true or false"),
        ("weights.file", "/nowhere", "expected a file that can be read"),
        ("timeout", "2000", "assignor.load.timeout is not a setting of this assignor"),
        ("admin.retries", "many", "retries"),
    ],
)
def test_a_wrong_setting_fails_the_start_with_the_way_out(
    harness: Harness, key: str, value: str, told: str
) -> None:
    with pytest.raises(HarnessError, match=r"ConfigException") as refused:
        harness.ask("configure", config={**_SERVERS, f"assignor.load.{key}": value})

    assert told in str(refused.value)


@pytest.mark.parametrize(
    "line", ["orders 0", "orders 0 -1", "orders 0 fast", "orders x 1", "orders 0 NaN", "a b 0 1"]
)
def test_a_wrong_line_of_a_file_of_rates_is_named(
    harness: Harness, tmp_path: Path, line: str
) -> None:
    rates = tmp_path / "rates"
    rates.write_text(f"# records per second\n\norders 1 2.5\n{line}\n")

    with pytest.raises(HarnessError) as refused:
        harness.ask("configure", config={**_SERVERS, "assignor.load.weights.file": str(rates)})

    assert f'line 4: expected a topic, a partition and records per second, found "{line}"' in str(
        refused.value
    )


def test_the_file_that_the_pipeline_writes_is_read_as_it_is_meant(
    harness: Harness, tmp_path: Path
) -> None:
    rates = {"orders": [0.0, 2.5, 1234567.125], "päck.b_2-x": [0.001]}
    file = weights_file(tmp_path, rates)

    harness.ask("configure", config={**_SERVERS, "assignor.load.weights.file": str(file)})
    read = harness.ask("rates", file=str(file))

    assert {topic: [rate for _, rate in sorted(of)] for topic, of in read.items()} == rates


def test_the_reading_client_is_the_consumer_s_without_its_plug_ins(harness: Harness) -> None:
    config = {
        **_SERVERS,
        "client.id": "orders-1",
        "security.protocol": "SASL_SSL",
        "sasl.jaas.config": "canary",
        "key.deserializer": "D",
        "interceptor.classes": "I",
        "metric.reporters": "R",
        "assignor.load.admin.security.protocol": "PLAINTEXT",
        "assignor.load.admin.group.id": "other",
    }

    admin = harness.ask("configure", config=config)["admin"]

    expected = {
        "bootstrap.servers": "127.0.0.1:1",
        "client.id": "orders-1-assignor",
        "security.protocol": "PLAINTEXT",
        "sasl.jaas.config": "canary",
        "request.timeout.ms": "1000",
        "default.api.timeout.ms": "2000",
    }
    assert expected.items() <= admin.items()
    assert admin.keys().isdisjoint(
        {"group.id", "key.deserializer", "interceptor.classes", "metric.reporters"}
    )


def test_the_eager_form_has_a_name_of_its_own(harness: Harness) -> None:
    eager = {**_SERVERS, "assignor.load.protocol": "eager"}

    assert harness.ask("configure", config=_SERVERS)["name"] == "load-sticky"
    assert harness.ask("configure", config=eager)["name"] == "load-sticky-eager"


@pytest.mark.parametrize(
    "javac",
    [
        pytest.param(shutil.which("javac"), id="javac"),
        pytest.param(None, id="Eclipse's", marks=pytest.mark.proof),
    ],
)
@pytest.mark.parametrize(
    ("jar", "newest"),
    [
        pytest.param(CONSUMERS, 55, id="java"),
        pytest.param(BROKERS, 61, id="broker", marks=pytest.mark.proof),
    ],
)
def test_a_jar_holds_our_classes_alone_for_the_java_it_says(
    tmp_path: Path, jar: Jar, newest: int, javac: str | None
) -> None:
    built = build(jar._replace(path=tmp_path / "built" / "some.jar"), javac)

    with ZipFile(built) as read:
        names = [name for name in read.namelist() if name.endswith(".class")]
        versions = {int.from_bytes(read.read(name)[6:8]) for name in names}
    assert len(names) > 10
    assert all(name.startswith("kafkaassignments/") for name in names)
    assert versions == {newest}
