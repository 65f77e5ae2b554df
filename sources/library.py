"""The groups in a text, for programs; ``from assignors import read``."""

from evaluation.answering.given import Given
from evaluation.stated import require_a


def read(text: str) -> tuple[Given, ...]:
    r"""Return every consumer group in a text of any format that the dashboard reads.

    Each goes to ``answer``, with its snapshots, client and kind; its ``group`` to ``compare``.

    Raises SourceError, in a sentence, for what cannot be read, InvalidArgumentError for what is no
    text, and ImportError without the packages of the extra ``cli``.

    >>> (found,) = read("GROUP TOPIC PARTITION LAG CONSUMER-ID\ng t 0 5 a-1\ng t 1 7 a-2")
    >>> found.name, found.group.members, found.group.lags.tolist()
    ('g', ('a-1', 'a-2'), [5, 7])
    """
    require_a(str, "text", text, "bytes become text by text.decode()")
    try:
        from sources.asking import given_of  # noqa: PLC0415 -- numpy alone does for all but this
        from sources.text import read_text  # noqa: PLC0415
    except ModuleNotFoundError as error:
        message = f"read() needs {error.name}: pip install 'kafka-assignments[cli]'"
        raise ImportError(message) from error
    return tuple(given_of(reading) for reading in read_text(text))
