"""What can stop a run before its first row, and how Spark says that a computation failed."""

from typing import Final

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from pipeline.errors import PipelineError

SPARK_ERRORS: Final = (PySparkException, Py4JJavaError)
"""Spark Connect raises the first for a failed task, a session in the same process the second."""


class ReadingError(PipelineError):
    """The input as a whole cannot be read: one sentence with the place and the way out."""


def cause(error: Exception) -> str:
    r"""Return the innermost cause that an error of Spark names, on one line.

    >>> cause(Exception("it failed\nCaused by: a task\n\tat Task\nCaused by: a broken file"))
    'a broken file'
    """
    lines = str(error).splitlines()
    causes = [line for line in lines if line.startswith("Caused by: ")]
    return (causes or lines[:1] or [type(error).__name__])[-1].removeprefix("Caused by: ")
