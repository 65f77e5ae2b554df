"""An answer as JSON, with how its group was read."""

from typing import Final

from evaluation.answering.answer import Answer
from evaluation.answering.as_data import as_data
from evaluation.reading import Reading

_MOST_IGNORED: Final = 10
"""The most lines to write beside an answer; a log in the same text has thousands."""


def answer_json(answer: Answer, reading: Reading) -> dict[str, object]:
    """Return everything that an answer on a reading says, and what its text said otherwise."""
    return as_data(answer) | {"read": how_read(reading, _MOST_IGNORED)}


def how_read(reading: Reading, most: int | None = None) -> dict[str, object]:
    """Return the format, notes and ignored lines of a reading, of these ``most``; None is all."""
    return {
        "format": reading.format,
        "rows": reading.rows,
        "ignored": reading.ignored[:most],
        "ignored_lines": len(reading.ignored),
        "notes": reading.notes,
        "state": reading.state,
    }
