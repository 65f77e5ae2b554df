"""Which settings a session is given."""

import pytest

from pipeline.session import local_settings

_DEFAULTS = "spark.driver.defaultJavaOptions"


@pytest.mark.parametrize(
    ("own", "environ", "expected"),
    [
        ({}, {}, "-XX:+UseParallelGC"),
        ({"spark.driver.extraJavaOptions": "-Da=b"}, {}, "-XX:+UseParallelGC"),
        ({"spark.driver.extraJavaOptions": "-XX:+UseG1GC"}, {}, None),
        ({}, {"JAVA_TOOL_OPTIONS": "-XX:+UseZGC"}, None),
    ],
)
def test_a_garbage_collector_of_the_users_choice_is_the_only_one(
    own: dict[str, str], environ: dict[str, str], expected: str | None
) -> None:
    assert local_settings(own, environ).get(_DEFAULTS) == expected
