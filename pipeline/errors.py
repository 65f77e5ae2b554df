"""Errors of this package: a run that cannot continue, in one sentence."""

import re
from typing import Final

_STEP: Final = re.compile(r"(?:\x1b\[\d+m)?\u21b3(?:\x1b\[\d+m)?")
"""An arrow, in red, before each cause of a failure."""


class PipelineError(ValueError):
    """The message says what was expected, what was found, and the way out."""


def steps_in(text: str) -> str:
    r"""Return the last causes of a failure as delta-rs prints them; "" for another text.

    >>> steps_in("Generic error\n \u21b3 Unable to open file a\n  \u21b3 Permission denied\n")
    'Unable to open file a: Permission denied'
    >>> steps_in("Object a not found\n \u21b3 No such file\n")
    'Object a not found: No such file'
    """
    first, *causes = (step.strip() for step in _STEP.split(text))
    return ": ".join([first, *causes][-2:]) if causes else ""
