import numpy as np
import pytest

from assignors.model import UNKNOWN
from assignors.offsets import lag_from_offsets


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
