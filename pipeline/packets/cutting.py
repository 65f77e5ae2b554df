"""Columns cut into slices."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assignors.model import IntArray


class Cut:
    """A column to be cut; of names, so that each slice has a dictionary of its own."""

    def __init__(self, column: pa.Array, few: int = 0) -> None:
        """Leave dictionaries of up to ``few`` names as they are."""
        self._column = column
        self._codes: npt.NDArray[Any] | None = None
        if pa.types.is_dictionary(column.type) and len(column.dictionary) > few:
            self._codes = codes_of(column)
            self._is_used = np.zeros(len(column.dictionary) + 1, np.bool_)  # the last one: null
            self._number = np.zeros(self._is_used.size, np.int32)

    def part(self, start: int, stop: int) -> pa.Array:
        """Return a slice; of names, with those alone that stand in it."""
        if self._codes is None:
            return self._column.slice(start, stop - start)
        codes = self._codes[start:stop]
        self._is_used[codes] = True
        used = np.flatnonzero(self._is_used[:-1])
        self._is_used[used] = False
        self._number[used] = np.arange(used.size)
        numbers = pa.array(self._number[codes], mask=codes < 0)
        return pa.DictionaryArray.from_arrays(numbers, self._column.dictionary.take(pa.array(used)))


def codes_of(names: pa.DictionaryArray) -> IntArray:
    """Return the numbers of names, -1 for null."""
    found: IntArray = names.indices.fill_null(-1).to_numpy()
    return found
