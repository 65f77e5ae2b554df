"""Numbers of consumers at which the partitions of the fullest become fewer."""


def useful_counts(partitions: int) -> list[int]:
    """Return the numbers of consumers at which ``ceil(partitions / consumers)`` falls, ascending.

    Between two of them the fullest consumer holds as many partitions as with the smaller number.
    That is by count, for an assignment as even as counts allow; lags and rates may differ.

    >>> useful_counts(24)
    [1, 2, 3, 4, 5, 6, 8, 12, 24]
    """
    return [
        consumers
        for consumers in range(1, partitions + 1)
        if consumers == 1 or -(-partitions // consumers) < -(-partitions // (consumers - 1))
    ]
