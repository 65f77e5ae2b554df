"""The figures of an answer by name, as sentences write them; unknown ones are absent."""

from evaluation.answering.answer import Answer
from evaluation.answering.group_fields import group_in, known_in, needs_partitions, sink_in
from evaluation.answering.load_fields import loads_in
from evaluation.answering.option_fields import proposal_in
from evaluation.answering.verdict_fields import figures_in, growing, oldest_said, whom


def fields_of(answer: Answer) -> dict[str, str]:
    """Return every figure that a sentence may name, by name; what is unknown is absent."""
    verdict = answer.verdict
    return {
        **group_in(answer),
        **known_in(answer),
        **whom(answer, verdict),
        **figures_in(verdict),
        **({"oldest": oldest} if (oldest := oldest_said(answer)) else {}),
        **growing(answer),
        **loads_in(answer),
        **proposal_in(answer),
        **sink_in(answer),
        **({"needs_partitions": ""} if needs_partitions(answer) else {}),
    }
