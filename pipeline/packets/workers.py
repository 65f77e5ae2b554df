"""What a Python worker of Spark does once."""

import gc
from functools import cache


@cache
def spare_imports() -> None:
    """Take what is imported out of every later search for garbage.

    Spark makes a worker search after each task. Over the modules alone that takes 50 ms,
    more than many a task.
    """
    gc.collect()
    gc.freeze()
