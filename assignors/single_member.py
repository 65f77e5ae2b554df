"""Groups with one subscriber, which leave a strategy no choice."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

import numpy as np

from assignors.model import Group, Owners
from assignors.trace.events import Trace
from assignors.trace.rules import Alone

_Options = ParamSpec("_Options")
_Strategy = Callable[Concatenate[Group, _Options], Owners]


def unless_single_member(strategy: _Strategy[_Options]) -> _Strategy[_Options]:
    """Skip the strategy if the only member subscribes to everything: it owns everything.

    A quarter of the groups of a fleet are like that.
    """

    @wraps(strategy)
    def answer(group: Group, /, *args: _Options.args, **kwargs: _Options.kwargs) -> Owners:
        if group.member_count == 1 and group.layout.wants_everything:
            trace = kwargs.get("trace")
            if isinstance(trace, Trace):
                trace.assigned(group.wanted, 0, Alone())
            return np.zeros(group.partition_count, np.int32)
        return strategy(group, *args, **kwargs)

    return answer
