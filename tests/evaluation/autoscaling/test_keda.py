"""Our implementation of KEDA's Kafka scaler, compared with recorded results of KEDA."""

from typing import Any

import numpy as np
import pytest

from evaluation.autoscaling.keda import KedaTrigger, even_number, metric
from evaluation.stated import InvalidNumberError
from tests.oracles.scalers import vectors
from tests.oracles.toolchains import keda_answers

_BOOLEANS = {
    "allowIdleConsumers": "allow_idle_consumers",
    "excludePersistentLag": "exclude_persistent_lag",
    "scaleToZeroOnInvalidOffset": "scale_to_zero_on_invalid_offset",
    "limitToPartitionsWithLag": "limit_to_partitions_with_lag",
    "ensureEvenDistributionOfPartitions": "ensure_even_distribution_of_partitions",
}


def answered(case: dict[str, Any]) -> dict[str, Any]:
    """Return our result in the harness's format, without error texts."""
    try:
        options, limits = options_of(case["options"]), limits_of(case["options"])
        answers, before = [], None
        for poll in case["polls"]:
            rows = [
                offsets
                for topic in sorted(poll)
                for number, offsets in enumerate(poll[topic])
                if limits is None or number in limits
            ]
            if not rows:
                return {"error": True}
            committed, ends, starts = np.array(rows).T
            found = metric(options, committed, ends, starts, before)
            before = found.committed
            answers.append([1000 * found.lag, 1000 * options.lag_threshold, found.is_active])
    except InvalidNumberError:
        return {"error": True}
    return {"answers": answers}


def limits_of(given: dict[str, str]) -> list[int] | None:
    """Return the partitions of the trigger's topic to consider; None for all."""
    limits: list[int] = []
    for part in given.get("partitionLimitation", "").split(","):
        first, _, last = part.strip().partition("-")
        limits += range(int(first), int(last or first) + 1) if first else []
    return limits if limits and "topic" in given else None


def options_of(given: dict[str, str]) -> KedaTrigger:
    return KedaTrigger(
        lag_threshold=int(given["lagThreshold"]),
        activation_lag_threshold=int(given["activationLagThreshold"]),
        resets_to_latest=given["offsetResetPolicy"] == "latest",
        has_topic="topic" in given,
        **{ours: theirs in given for theirs, ours in _BOOLEANS.items()},
    )


def test_every_answer_equals_that_of_kedas_own_scaler() -> None:
    cases = list(vectors("keda"))

    different = [
        case
        for case in cases
        if answered(case) != case["expected"]
        and not ("error" in answered(case) and "error" in case["expected"])
    ]

    assert not different
    assert sum("answers" in case["expected"] for case in cases) >= 500


@pytest.mark.deep
@pytest.mark.needs("clients' toolchains")
def test_kedas_scaler_still_returns_the_results_of_the_vectors() -> None:
    cases = list(vectors("keda"))

    again = keda_answers(cases)

    assert [answer.get("answers") for answer in again] == [
        case["expected"].get("answers") for case in cases
    ]


@pytest.mark.parametrize(("partitions", "threshold", "lag"), [(12, 10, 0), (7, 3, 9), (500, 1, 71)])
def test_an_even_number_divides_the_partitions_and_no_smaller_divisor_is_enough(
    partitions: int, threshold: int, lag: int
) -> None:
    number = even_number(lag, partitions, threshold)

    divisors = [n for n in range(1, partitions + 1) if partitions % n == 0]
    assert number in divisors
    assert all(n * threshold < lag for n in divisors if n < number)
