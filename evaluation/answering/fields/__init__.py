"""The figures of an answer by name, as sentences write them; unknown ones are absent."""

from evaluation.answering.answer import Answer
from evaluation.answering.fields.group import group_in, known_in, sink_in
from evaluation.answering.fields.load import loads_in
from evaluation.answering.fields.names import Fields
from evaluation.answering.fields.option import proposal_in
from evaluation.answering.fields.verdict import ages_in, figures_in, whom


def fields_of(answer: Answer) -> Fields:
    """Return every figure that a sentence may name, by name; what is unknown is absent."""
    found: Fields = {
        **group_in(answer),
        **known_in(answer),
        **whom(answer, answer.verdict),
        **figures_in(answer.verdict),
        **ages_in(answer),
        **loads_in(answer),
        **proposal_in(answer),
        **sink_in(answer),
    }
    if answer.view is None:
        return found
    from evaluation.answering.fields.placed import placed_in  # noqa: PLC0415 -- as in ``compose``

    return {**found, **placed_in(answer, answer.view)}
