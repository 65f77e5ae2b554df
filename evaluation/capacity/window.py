"""The numbers of consumers that charts show, around the decision."""

from collections.abc import Iterable, Sequence

import numpy as np


def window(today: int, minima: Sequence[int], fewest: int | None) -> tuple[int, int]:
    """Return the first and last number of consumers to show.

    From today's number to twice as many, widened to the given minima; if these are far below, from
    there to just above today's. Without consumers today, from the minima to twice as many; without
    minima, from the proved fewest.
    """
    if not minima:
        start = today or fewest or 1
        return max(start - 1, 1), 2 * start
    least, most = min(minima), max(minima)
    if not today:
        return max(least - 1, 1), 2 * most
    end = 2 * today if 2 * most >= today else today + max(today // 10, 1)
    return max(min(today, least) - 1, 1), max(end, most + max(most // 10, 2))


def spread(numbers: Sequence[int], needed: Iterable[int], most: int) -> list[int]:
    """Return at most ``most`` of ascending numbers: the needed first, then evenly spread.

    >>> spread(range(1, 101), [14, 13, 500], 6)
    [1, 13, 14, 34, 67, 100]
    """
    if len(numbers) <= most:
        return list(numbers)
    inside = set(numbers)
    kept = [number for number in dict.fromkeys(needed) if number in inside][:most]
    for steps in range(most, 1, -1):
        places = np.linspace(0, len(numbers) - 1, steps).round().astype(int)
        together = sorted({*kept, *(numbers[place] for place in places.tolist())})
        if len(together) <= most:
            return together
    return sorted(kept)
