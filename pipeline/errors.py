"""The one family of errors of this package: a run that cannot go on, said in a sentence."""


class PipelineError(ValueError):
    """What was expected, what was found, and the way out."""
