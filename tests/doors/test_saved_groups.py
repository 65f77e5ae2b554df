"""A group that was saved, shared or planned with is answered as the text it was read from."""

from pathlib import Path

import pytest

from assignors import Answer, answer
from sources import group_json
from sources.asking import given_of
from sources.reading import Reading
from sources.text import read_text
from tests.doors import texts

_ROOT = Path(__file__).resolve().parents[2]
_REBALANCING = """Warning: Consumer group 'pay' is rebalancing.

GROUP  TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID
pay    orders  0          1000            2000            1000 -            -     -
pay    orders  1          1000            2000            1000 -            -     -
"""
_COUNTED = """GROUP  COORDINATOR (ID)  ASSIGNMENT-STRATEGY  STATE   #MEMBERS
pay    b:9092 (1)        range                Stable  4
"""
_TEXTS = {
    "rebalancing": _REBALANCING,
    "counted": _COUNTED,
    "long-name": _COUNTED.replace("pay ", "p" * 2_000 + " "),
    "reconciling": _COUNTED.replace("Stable", "Reconciling"),
    "orders": (_ROOT / "sample_data/describe-orders.txt").read_text("utf-8"),
    **{
        f"{name}.txt": (_ROOT / f"tests/cases/{name}.txt").read_text("utf-8")
        for name in ("P12", "P33", "P39", "X2")
    },
    **{each.__name__: texts.snapshots(each(), dated=True) for each in texts.ALL},
}


def _told(found: Answer) -> tuple[object, ...]:
    option, verdict = found.proposal, found.verdict
    proposed = option and (option.action, option.strategy, option.busiest, option.members)
    figures = {name: f"{value}" for name, value in verdict.figures.known().items()}
    return verdict.kind, verdict.members, verdict.partitions, proposed, figures


def _saved(reading: Reading) -> Reading:
    file = group_json.file_of(reading, reading.group)
    return group_json.reading_of(group_json.decode(group_json.encode(file)))


@pytest.mark.parametrize("name", _TEXTS)
def test_a_saved_group_has_the_answer_of_its_text(name: str) -> None:
    for reading in read_text(_TEXTS[name]):
        told = _told(answer(given_of(reading)))

        assert _told(answer(given_of(_saved(reading)))) == told
        assert _saved(reading).state == reading.state


def test_an_edited_group_is_no_longer_in_that_rebalance() -> None:
    (reading,) = read_text(_REBALANCING)

    file = group_json.file_of(reading, reading.group.with_lags([5, 5]))

    assert reading.rebalancing is not None
    assert file.rebalancing is None
