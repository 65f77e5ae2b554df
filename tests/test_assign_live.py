"""The command line on a running cluster."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.broker.kafka_node import Cluster
from tests.live.on_a_broker import commit, consuming, make_topic
from tests.test_assign import ROOT, _process, _run

CANARY = "canary-9f3a"


@pytest.mark.needs("broker")
def test_a_group_is_read_assigned_converted_and_listed(kafka: Cluster, tmp_path: Path) -> None:
    servers, config = kafka.bootstrap, tmp_path / "client.properties"
    config.write_text("auto.offset.reset=earliest\nclient.id=assign\n")
    make_topic(servers, "line-orders", [10, 20])
    commit(servers, "line-empty", {("line-orders", 0): 4})
    with consuming(servers, "line-group", ["line-orders"], {}, {}):
        _, listed, _ = _run("--bootstrap-server", servers, "--list-groups")
        status, answers, said = _run("--bootstrap-server", servers, "--group", "line-group")
        _, (converted, empty), _ = _run(
            *("--bootstrap-server", servers, "--command-config", str(config), "--convert"),
            *("--group", "line-group", "--group", "line-empty"),
        )

    assert (status, said) == (0, "")
    about = {"id": "line-group", "state": "Stable", "protocol": "classic", "kind": "consumer"}
    assert about in listed
    assert {each["id"]: each["kind"] for each in listed}["line-empty"] == "offsets"
    assert [answer["strategy"] for answer in answers] == ["librdkafka-range"]
    assert sorted(len(owned) for owned in answers[0]["assignment"].values()) == [1, 1]
    assert converted["lags"] == {"line-orders": [10, 20]}
    assert empty["lags"] == {"line-orders": [6, 20]}
    assert "live group" in empty["read"]["format"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bootstrap-server", "127.0.0.1:1", "--group", "g"], "Connection refused"),
        (["--bootstrap-server", "127.0.0.1:1", "--list-groups"], "Connection refused"),
        (["--bootstrap-server", "127.0.0.1:1"], "name a group with --group"),
        (["--group", "g"], "no bootstrap servers"),
        (["--bootstrap-server", "127.0.0.1:1", "--group", "g", "x.json"], "either a file or"),
        (["--group", "g", "--command-config", "nowhere.properties"], "nowhere.properties cannot"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_status_2(arguments: list[str], sentence: str) -> None:
    status, answers, said = _run(*arguments)

    assert (status, answers) == (2, [])
    assert sentence in said
    assert said.count("\n") == 1


@pytest.mark.slow
def test_a_secret_of_the_properties_is_in_no_output(tmp_path: Path) -> None:
    config = tmp_path / "client.properties"
    config.write_text(
        f"bootstrap.servers=127.0.0.1:1\nsecurity.protocol=SASL_PLAINTEXT\n"
        f"sasl.mechanism=PLAIN\nsasl.username=u\nsasl.password={CANARY}\n{CANARY}\n"
    )

    done = _process("--command-config", str(config), "--group", "g")

    assert done.returncode == 2
    assert b"127.0.0.1:1" in done.stderr
    assert CANARY.encode() not in done.stdout + done.stderr


def test_properties_that_powershell_wrote_are_read(tmp_path: Path) -> None:
    config = tmp_path / "client.properties"
    config.write_text("bootstrap.servers=127.0.0.1:1\n", encoding="utf-16")

    status, _, said = _run("--command-config", str(config), "--group", "g")

    assert (status, "127.0.0.1:1" in said) == (2, True)


@pytest.mark.slow
def test_the_kafka_client_is_not_loaded_for_those_who_read_a_file() -> None:
    code = "import assign, sys; print('confluent_kafka' in sys.modules)"

    done = subprocess.run(  # noqa: S603 -- our own program
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True
    )

    assert json.loads(done.stdout.lower()) is False
