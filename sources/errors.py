"""The one family of errors of this package: input that cannot be read, said in a sentence."""


class SourceError(ValueError):
    """Input that cannot be read; the message names the place, what was found and the way out."""
