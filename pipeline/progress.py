"""Progress of a run, as text on stderr or JSON Lines on stdout, and durations of its stages."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Progress:
    """Reports each stage of a run when it begins."""

    def __init__(self, total: int = 0, *, as_json: bool = False) -> None:
        """Start with the number of stages; with 0 stages are timed but not reported."""
        self.total = total
        self.done = 0
        self.seconds: dict[str, float] = {}
        """Stage -> duration in seconds."""
        self._as_json = as_json

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Report the start of a stage; count it when it succeeds."""
        self.report(name)
        begin = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - begin, 3)
        self.done += 1

    def report(self, stage: str) -> None:
        """Report a stage, or the result at the end."""
        if not self.total:
            return
        if self._as_json:
            line = {"stage": stage, "done": self.done, "total": self.total}
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
        else:
            sys.stderr.write(f"[{self.done}/{self.total}] {stage}\n")
