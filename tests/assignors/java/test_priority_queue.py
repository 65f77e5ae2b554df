"""Java's PriorityQueue: arrays as the real class leaves them."""

from hypothesis import given
from hypothesis import strategies as st

from assignors.java.priority_queue import PriorityQueue


def test_a_queue_is_built_by_insertions_or_at_once() -> None:
    numbers = [5, 3, 4, 1, 2]

    assert PriorityQueue(lambda number: number, numbers).array == [1, 2, 4, 5, 3]
    assert PriorityQueue.heapified(lambda number: number, numbers).array == [1, 2, 4, 3, 5]


def test_what_takes_the_place_of_a_removed_element_can_rise() -> None:
    queue = PriorityQueue[int](lambda number: number)
    queue.array = [0, 10, 1, 11, 12, 2]

    queue.remove(11)

    assert queue.array == [0, 2, 1, 10, 12]


@given(st.lists(st.integers()))
def test_elements_are_polled_in_order(numbers: list[int]) -> None:
    queue = PriorityQueue.heapified(lambda number: number, numbers)

    assert [queue.poll() for _ in numbers] == sorted(numbers)


@given(st.lists(st.integers(0, 5), min_size=1), st.data())
def test_removing_leaves_a_queue_of_the_rest(numbers: list[int], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(numbers))
    queue = PriorityQueue(lambda number: number, numbers)

    queue.remove(gone)

    rest = sorted(numbers)
    rest.remove(gone)
    assert [queue.poll() for _ in rest] == rest
