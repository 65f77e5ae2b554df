"""The JSON of the ConsumerGroupLag tool."""

import json

from assignors.numbering import topic_records
from tests.pasted import lags, owned, the_group

PARTITIONS = {
    "0": {
        "logStartOffset": 2,
        "logEndOffset": 90,
        "partition": 0,
        "currentOffset": "unknown",
        "lag": "unknown",
        "consumerId": "app-1-aa",
        "host": "/10.7.0.1",
        "clientId": "app-1",
    },
    "1": {
        "logEndOffset": 80,
        "partition": 1,
        "currentOffset": 75,
        "lag": 5,
        "consumerId": "",
        "host": "",
        "clientId": "",
    },
}
TEXT = json.dumps({"meters": PARTITIONS}, indent=2)


def test_numbers_and_the_word_unknown_stand_side_by_side() -> None:
    reading = the_group(TEXT)

    assert reading.format == "ConsumerGroupLag JSON"
    assert lags(reading) == {"meters": [None, 5]}
    assert topic_records(reading.group)["meters"].begin == [2, None]
    assert owned(reading) == {"app-1-aa": ["meters-0"]}
    assert (reading.rows, reading.unknown_lags, reading.group.id) == (2, 1, "")


def test_a_text_cut_off_at_its_end_is_read_as_far_as_it_goes() -> None:
    assert lags(the_group(TEXT[: TEXT.index('"1"') + 120]))["meters"][0] is None
