"""The figures of a finding: beside each field stands its name in verdicts."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_NAME: Final = "figure"
_BY_SPEED: Final = "by_speed"


def figure(name: str, *, by_speed: bool = False) -> Mapping[str, object]:
    """Return the metadata of a figure: its name, and whether it rests on what a consumer reads."""
    return {_NAME: name, _BY_SPEED: by_speed}


def figures_of(finding: "DataclassInstance") -> dict[str, float]:
    """Return the known figures of a finding by name; those that are None or NaN are left out."""
    return {
        str(each.metadata[_NAME]): float(value)
        for each in fields(finding)
        if _NAME in each.metadata and _is_known(value := getattr(finding, each.name))
    }


def rests_on_speed(finding: "DataclassInstance") -> bool:
    """Return whether a known figure of a finding follows from what a consumer reads."""
    return any(
        each.metadata.get(_BY_SPEED) and _is_known(getattr(finding, each.name))
        for each in fields(finding)
    )


def _is_known(value: float | None) -> bool:
    return value is not None and not np.isnan(value)
