"""The arrays of a group: their types, what stands for unknown, and the error they raise."""

from collections.abc import Sequence, Sized
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

IntArray: TypeAlias = npt.NDArray[np.int32]
LongArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Owners: TypeAlias = npt.NDArray[np.int32]
"""One member number, or ``UNOWNED``, for each partition; shape (partitions,)."""

UNOWNED: Final = -1
"""The owner of a partition that nobody owns."""
UNKNOWN: Final = int(np.iinfo(np.int64).min)
"""An unknown lag or offset; not zero."""
NO_RACK: Final = -1
NO_GENERATION: Final = -1
"""The generation of a member that never joined, as in Kafka."""

_Array = TypeVar("_Array", bound=npt.NDArray[Any])
_Number = TypeVar("_Number", bound=np.generic)


class InvalidGroupError(ValueError):
    """A group that contradicts itself; the message names the field and what to give instead."""


def read_only(array: _Array) -> _Array:
    """Make an array read-only, since later callers get the same one."""
    array.setflags(write=False)
    return array


def or_filled(
    values: npt.ArrayLike | None,
    shape: int | tuple[int, int],
    fill: int,
    dtype: type[_Number],
) -> npt.NDArray[_Number]:
    """Return a copy of the values as an array, or an array of ``fill`` where there are none."""
    if values is not None:
        return np.array(values, dtype)
    array = np.empty(shape, dtype)
    array.fill(fill)  # a quarter of what np.full takes
    return array


def if_known(values: npt.ArrayLike | None, dtype: type[_Number]) -> npt.NDArray[_Number] | None:
    """Return a copy of the values as an array, None where there are none."""
    return None if values is None else np.array(values, dtype)


def make_read_only(part: object) -> None:
    """Make all arrays of a part of a group read-only."""
    for value in part.__dict__.values():
        if type(value) is np.ndarray:
            value.setflags(write=False)


def whole_numbers(name: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return values as an array of integers; raise InvalidGroupError for one that is none.

    >>> whole_numbers("lags", [1.0, 2.0])
    array([1, 2])
    """
    array = np.asarray(values)
    if array.dtype.kind == "i":
        return array
    wrong = array
    if array.dtype.kind in "uf":
        with np.errstate(invalid="ignore"):
            whole = array.astype(np.int64)
        wrong = array[whole != array]
        if not wrong.size:
            return whole
    message = f"{name} must be whole numbers, found {wrong.flat[0]}"
    raise InvalidGroupError(message)


def require_sizes(sizes: Sequence[tuple[str, Sized, int]]) -> None:
    """Raise InvalidGroupError for the first of these fields that has another size."""
    for name, values, size in sizes:
        if len(values) != size:
            message = f"{name} has {len(values)} entries where this group needs {size}"
            raise InvalidGroupError(message)
