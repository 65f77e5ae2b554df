import pytest

from assignors.sticky.moves import Moves


@pytest.fixture(name="moves")
def _moves() -> Moves:
    return Moves("orders")


def test_a_partition_moves_itself_where_none_came_the_other_way(moves: Moves) -> None:
    moves.record(0, 1, 2)

    assert moves.instead_of(5, 1, 2) == 5
    assert not moves.has_replaced


def test_a_partition_that_came_the_other_way_goes_back_instead(moves: Moves) -> None:
    moves.record(0, 1, 2)

    assert moves.instead_of(5, 2, 1) == 0
    assert moves.has_replaced


def test_of_several_the_first_of_a_java_hash_set_goes_back(moves: Moves) -> None:
    for partition in (20, 9, 3):
        moves.record(partition, 1, 2)

    assert moves.instead_of(5, 2, 1) == 9  # then 3, then 20, in Java 17


def test_a_set_that_has_doubled_stays_large(moves: Moves) -> None:
    others = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11]
    for partition in (8, 23):
        moves.record(partition, 1, 2)
    of_two = moves.instead_of(50, 2, 1)
    for giver, taker in ((1, 2), (2, 1)):
        for partition in others:
            moves.record(partition, giver, taker)

    of_the_same_two = moves.instead_of(50, 2, 1)

    assert (of_two, of_the_same_two) == (23, 8)


def test_two_moves_of_a_partition_count_as_one_from_first_to_last(moves: Moves) -> None:
    moves.record(0, 1, 2)
    moves.record(0, 2, 3)

    assert moves.instead_of(5, 3, 1) == 0
    assert moves.instead_of(5, 2, 1) == 5


def test_a_move_back_undoes_the_first(moves: Moves) -> None:
    moves.record(0, 1, 2)
    moves.record(0, 2, 1)

    assert moves.instead_of(5, 2, 1) == 5


def test_what_moved_before_is_judged_by_whom_it_came_from(moves: Moves) -> None:
    moves.record(0, 1, 2)
    moves.record(7, 2, 3)

    assert moves.instead_of(7, 3, 1) == 0
