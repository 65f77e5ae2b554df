"""The real libraries are asked the golden vectors anew, where their toolchains stand."""

import pytest

from assignors.clients.registry import OTHER_CLIENTS
from tests.golden_cases import cases
from tests.oracles.toolchains import answers


@pytest.mark.needs("clients' toolchains")
@pytest.mark.parametrize("name", OTHER_CLIENTS)
def test_the_library_still_answers_as_the_vectors_say(name: str) -> None:
    records = [dict(case.record) for case in cases(name) if case.has_answer]

    again = answers(name, records)

    different = [r["id"] for r, found in zip(records, again, strict=True) if found != r["expected"]]
    assert not different
