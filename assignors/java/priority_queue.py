"""A Java ``PriorityQueue``: which of several equal elements comes first depends on its array."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

Element = TypeVar("Element")


class PriorityQueue(Generic[Element]):
    """A binary heap in an array, least key first.

    Keys are read when elements are compared, so an element may change while it is not queued.

    >>> queue = PriorityQueue[str](len)
    >>> for name in ("aa", "b", "c", "d"):
    ...     queue.add(name)
    >>> queue.poll(), queue.poll(), queue.array
    ('b', 'd', ['c', 'aa'])
    """

    def __init__(self, key: Callable[[Element], Any], elements: Iterable[Element] = ()) -> None:
        """Start with these elements, as ``addAll`` inserts them one by one."""
        self.array: list[Element] = []
        self._key = key
        for element in elements:
            self.add(element)

    @classmethod
    def heapified(
        cls, key: Callable[[Element], Any], elements: Iterable[Element]
    ) -> "PriorityQueue[Element]":
        """Return a queue made from a collection at once, as the constructor does."""
        queue = cls(key)
        queue.array = list(elements)
        for at in reversed(range(len(queue.array) // 2)):
            queue._sift_down(at, queue.array[at])
        return queue

    def __len__(self) -> int:
        return len(self.array)

    def __contains__(self, element: Element) -> bool:
        return element in self.array

    def add(self, element: Element) -> None:
        """Insert an element."""
        self.array.append(element)
        self._sift_up(len(self.array) - 1, element)

    def poll(self) -> Element:
        """Take out the first element. Raises IndexError if there is none."""
        first = self.array[0]
        last = self.array.pop()
        if self.array:
            self._sift_down(0, last)
        return first

    def remove(self, element: Element) -> None:
        """Take out an element; the last one takes its place and sifts down, else up.

        Raises ValueError if it is not there.
        """
        at = self.array.index(element)
        last = self.array.pop()
        if at < len(self.array):
            self._sift_down(at, last)
            if self.array[at] is last:
                self._sift_up(at, last)

    def _sift_up(self, at: int, element: Element) -> None:
        key = self._key(element)
        while at > 0:
            parent = (at - 1) // 2
            if key >= self._key(self.array[parent]):
                break
            self.array[at] = self.array[parent]
            at = parent
        self.array[at] = element

    def _sift_down(self, at: int, element: Element) -> None:
        key, count = self._key(element), len(self.array)
        while at < count // 2:
            child = 2 * at + 1
            if child + 1 < count and self._key(self.array[child]) > self._key(
                self.array[child + 1]
            ):
                child += 1
            if key <= self._key(self.array[child]):
                break
            self.array[at] = self.array[child]
            at = child
        self.array[at] = element
