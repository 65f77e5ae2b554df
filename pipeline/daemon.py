"""The process that Spark's Python workers on this machine are forked from.

Spark's own daemon, which has imported already what takes every worker longest.
"""

import os

# A process with threads must not be forked, and pyarrow's allocator starts one unless told not to.
os.environ.setdefault("JE_ARROW_MALLOC_CONF", "background_thread:false")

import pyspark.worker
from pyspark.daemon import manager

import pipeline.packed
import pipeline.replayed

IMPORTED = (pyspark.worker, pipeline.packed, pipeline.replayed)
"""Here for their imports alone."""

if __name__ == "__main__":
    manager()
