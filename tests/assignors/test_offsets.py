import numpy as np
import pytest

from assignors.model import UNKNOWN
from assignors.offsets import lag_from_offsets, waiting


@pytest.mark.parametrize(
    ("begin", "end", "committed", "reset", "expected"),
    [
        pytest.param(100, 1100, 1000, "latest", 100, id="committed"),
        pytest.param(100, 1100, UNKNOWN, "latest", 0, id="nothing committed, starts at the end"),
        pytest.param(100, 1100, UNKNOWN, "earliest", 1000, id="nothing committed, from the start"),
        pytest.param(100, 1100, UNKNOWN, "none", 1000, id="nothing committed, no reset"),
        pytest.param(100, 1100, 1200, "latest", 0, id="committed beyond the end"),
        pytest.param(UNKNOWN, 1100, 1000, "earliest", 100, id="begin is not needed"),
        pytest.param(UNKNOWN, 1100, UNKNOWN, "earliest", UNKNOWN, id="begin is needed"),
        pytest.param(100, UNKNOWN, 1000, "latest", UNKNOWN, id="end unknown"),
        pytest.param(100, UNKNOWN, UNKNOWN, "latest", UNKNOWN, id="end unknown, none committed"),
        pytest.param(0, 2**63 - 1, 0, "latest", 2**63 - 1, id="as large as offsets go"),
    ],
)
def test_lag_follows_from_offsets_as_kafka_5337_has_it(
    begin: int, end: int, committed: int, reset: str, expected: int
) -> None:
    lags = lag_from_offsets(np.array([begin]), np.array([end]), np.array([committed]), reset)

    assert lags.tolist() == [expected]


@pytest.mark.parametrize(
    ("lag", "begin", "end", "expected"),
    [
        pytest.param(1_000_000, 900_000, 1_000_100, 100_100, id="the first 899,900 were deleted"),
        pytest.param(50, 900_000, 1_000_100, 50, id="the log holds more than waits"),
        pytest.param(1_000, 700, 700, 0, id="everything was deleted"),
        pytest.param(1_000, UNKNOWN, 700, 1_000, id="begin unknown"),
        pytest.param(1_000, 700, UNKNOWN, 1_000, id="end unknown"),
        pytest.param(UNKNOWN, 0, 700, UNKNOWN, id="lag unknown"),
        pytest.param(-5, 0, 700, -5, id="as a tool printed it"),
    ],
)
def test_what_was_deleted_unread_waits_no_more(
    lag: int, begin: int, end: int, expected: int
) -> None:
    assert waiting(np.array([lag]), np.array([begin]), np.array([end])).tolist() == [expected]
