"""Names and values in PromQL, such that no value can change a query."""

import re
from collections.abc import Iterable
from typing import Final

_METRIC: Final = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]{0,199}")
_LABEL: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,199}")
_SPECIAL: Final = re.compile(r"[\\.+*?()|\[\]{}^$]")


def is_metric(name: object) -> bool:
    """Return whether a metric may have this name."""
    return isinstance(name, str) and _METRIC.fullmatch(name) is not None


def is_label(name: object) -> bool:
    """Return whether a label may have this name."""
    return isinstance(name, str) and _LABEL.fullmatch(name) is not None


def quoted(text: str) -> str:
    r"""Return a string of PromQL.

    >>> print(quoted('a"b\\c'))
    "a\"b\\c"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def one_of(label: str, values: Iterable[str]) -> str:
    r"""Return a matcher of a label that is one of these values.

    >>> print(one_of("group", ["a.b", "c"]))
    group=~"a\\.b|c"
    """
    pattern = "|".join(_SPECIAL.sub(r"\\\g<0>", value) for value in values)
    return f"{label}=~{quoted(pattern)}"
