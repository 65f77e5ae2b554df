"""Groups that run no strategy of consumer groups, at the command line."""

import json
from collections.abc import Sequence
from io import BytesIO, StringIO
from pathlib import Path

import pytest

import assign
from tests.kinds.texts import CLASSIC, TOPOLOGY
from tests.kinds.texts import STREAMS as BROKER_STREAMS

STREAMS = """\
GROUP  TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID                                        HOST        CLIENT-ID
shop   clicks  0          5               9               4    shop-1a-StreamThread-1-consumer-0a1b2c3d-1111-4a4a-8b8b-0123456789ab  /10.0.0.1   shop-1a-StreamThread-1-consumer
shop   clicks  1          -               0               -    shop-1a-StreamThread-2-consumer-1a1b2c3d-1111-4a4a-8b8b-0123456789ab  /10.0.0.1   shop-1a-StreamThread-2-consumer
"""  # noqa: E501 -- as wide as the tool prints it
PLAIN = """\
GROUP  TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST        CLIENT-ID
pay    orders  0          5               9               4    pay-1        /10.0.0.1   pay
"""
COUNTS = """\
GROUP  CONSUMER-ID  HOST        CLIENT-ID  #PARTITIONS
pay    pay-1        /10.0.0.1   pay        1
pay    pay-2        /10.0.0.2   pay        0
"""


def _run(text: str, *arguments: str) -> tuple[int, Sequence[dict[str, object]], str]:
    out, said = BytesIO(), StringIO()
    status = assign.main(arguments, [text.encode()], out, said)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], said.getvalue()


def test_a_streams_application_gets_no_strategy_but_one_sentence() -> None:
    status, answers, said = _run(STREAMS, "--strategy", "range")

    assert (status, answers) == (2, [])
    assert said.startswith("assign.py: 'shop' is a Kafka Streams application: ")
    assert "num.stream.threads" in said


def test_what_is_read_of_a_streams_application_is_converted_with_its_kind_and_known_lags() -> None:
    status, (group,), _ = _run(STREAMS, "--convert")
    again, (second,), _ = _run(json.dumps(group), "--convert")
    refused, _, said = _run(json.dumps(group))

    assert (status, again, refused) == (0, 0, 2)
    assert group["kind"] == second["kind"] == "streams"
    assert group["lags"] == {"clicks": [4, 0]}  # nothing was ever written to partition 1
    assert "'shop' is a Kafka Streams application" in said


@pytest.mark.parametrize("text", [f"{STREAMS}\n{PLAIN}", f"{PLAIN}\n{STREAMS}"])
def test_beside_a_consumer_group_the_other_kind_is_reported_in_its_place(text: str) -> None:
    status, answers, said = _run(text, "--strategy", "range")

    assert (status, said) == (1, "")
    by_id = {answer["id"]: answer for answer in answers}
    assert {name: answer["kind"] for name, answer in by_id.items()} == {
        "shop": "streams",
        "pay": "consumer",
    }
    assert by_id["pay"]["assignment"] == {"pay-1": [["orders", 0]]}
    assert "certainty" not in by_id["shop"]
    assert [answer["id"] for answer in answers] == (
        ["shop", "pay"] if text.startswith(STREAMS) else ["pay", "shop"]
    )


def test_an_unknown_kind_is_refused_with_the_nearest() -> None:
    status, (answer,), _ = _run('{"topics": {}, "members": [], "kind": "shared"}')

    assert status == 1
    assert "'share'" in str(answer["error"])


def test_members_that_are_only_counted_are_told_with_the_command_that_tells_the_rest() -> None:
    status, answers, said = _run(COUNTS, "--strategy", "range")

    assert (status, answers) == (2, [])
    assert "2 consumers" in said
    assert "and 1 partition (1 idle under any strategy)" in said
    assert "kafka-consumer-groups --describe --group pay" in said


def test_a_topology_beside_the_text_is_that_of_its_streams_group(tmp_path: Path) -> None:
    file = tmp_path / "topology.txt"
    file.write_text(TOPOLOGY)

    status, (found,), _ = _run(CLASSIC, "--topology", str(file))
    same, (below,), _ = _run(CLASSIC + TOPOLOGY)

    assert (status, same) == (0, 0)
    assert found["members"] == below["members"]


def test_a_streams_group_of_brokers_whose_answers_vary_is_refused_with_the_release() -> None:
    status, answers, said = _run(BROKER_STREAMS, "--release", "4.1")

    assert (status, answers) == (2, [])
    assert "Kafka 4.1 cannot be predicted" in said
    assert _run(BROKER_STREAMS, "--release", "4.2")[0] == 0
