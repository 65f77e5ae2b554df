"""Errors of this package: a run that cannot continue, in one sentence."""


class PipelineError(ValueError):
    """What was expected, what was found, and the way out."""
