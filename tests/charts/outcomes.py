"""Outcomes with given owners, for the tests of figures."""

import numpy as np

from assignors.catalogue import strategy_called
from assignors.model import Group, Owners
from evaluation.comparing.outcomes import Outcome
from evaluation.metrics import figures_of


def outcome(group: Group, owners: list[int], name: str = "range") -> Outcome:
    """Return an outcome in which the group's partitions have these owners."""
    answer: Owners = np.array(owners, np.int32)
    return Outcome(strategy=strategy_called(name), owners=answer, figures=figures_of(group, answer))
