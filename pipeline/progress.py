"""Progress of a run, as text on stderr or JSON Lines on stdout, and its durations."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Progress:
    """Reports each stage of a run when it begins."""

    def __init__(self, total: int = 0, *, as_json: bool = False) -> None:
        """Take the number of stages; without stages nothing is reported, only timed."""
        self.total = total
        self.done = 0
        self.seconds: dict[str, float] = {}
        """Stage -> how long it took."""
        self._as_json = as_json

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Report that a stage begins; count it as done when it ends well."""
        self.report(name)
        begin = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - begin, 3)
        self.done += 1

    def report(self, stage: str) -> None:
        """Report what begins, or at the end the result."""
        if not self.total:
            return
        if self._as_json:
            line = {"stage": stage, "done": self.done, "total": self.total}
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
        else:
            sys.stderr.write(f"[{self.done}/{self.total}] {stage}\n")
