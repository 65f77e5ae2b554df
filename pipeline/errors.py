"""Errors of this package: a run that cannot continue, in one sentence."""


class PipelineError(ValueError):
    """The message says what was expected, what was found, and the way out."""
