"""Which files of states are merged."""

from pipeline.replay.states import to_merge


def test_small_files_are_merged_once_they_are_many() -> None:
    large, small = {"large": 100}, {f"{number}": 24 for number in range(17)}
    few, tiny = dict(list(small.items())[:16]), dict.fromkeys(small, 1)

    assert to_merge({}) == to_merge(large | few) == []
    assert to_merge({**small, "large": 96}) == []  # none is small beside it
    assert to_merge(large | tiny) == [*tiny]


def test_the_large_one_is_merged_too_where_the_small_ones_are_most_of_the_rows() -> None:
    small = {f"{number}": 24 for number in range(17)}

    assert to_merge({"large": 100, **small}) == ["large", *small]
