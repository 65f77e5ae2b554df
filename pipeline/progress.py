"""Progress of a run, as text on stderr or JSON Lines on stdout, and durations of its stages."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Progress:
    """Reports each stage of a run when it begins."""

    def __init__(self, total: int = 0, *, as_json: bool = False, every_s: float = 10) -> None:
        """Start with the number of stages; with 0 they are reported only while they take long.

        A stage that takes long is reported again after every ``every_s`` seconds.
        """
        self.total = total
        self.every_s = every_s
        self.done = 0
        self.seconds: dict[str, float] = {}
        """Stage -> duration in seconds."""
        self._as_json = as_json
        self._stage = ""

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Report the start of a stage; count it when it succeeds."""
        self._stage = name
        self.report(name)
        begin = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - begin, 3)
        self.done += 1

    def report(self, stage: str) -> None:
        """Report a stage, or the result at the end."""
        if self.total:
            self._say(stage)

    def report_share(self, share: float, elapsed_s: float, tasks: int = 0) -> None:
        """Report how much of the stage is done after this time, and how long the rest takes.

        With ``tasks``, of one step of the stage, which has that many.
        """
        left = ""
        if share:
            minutes, seconds = divmod(round(elapsed_s * (1 - share) / share), 60)
            left = f", about {f'{minutes} min' if minutes else f'{seconds} s'} left"
            left += " in this step" if tasks else ""
        of = f" of {tasks:,} {'task' if tasks == 1 else 'tasks'}" if tasks else ""
        self._say(f"{self._stage}: {100 * share:.0f} %{of} done{left}")

    def _say(self, stage: str) -> None:
        if self._as_json:
            line = {"stage": stage, "done": self.done, "total": self.total}
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
        else:
            number = f"[{self.done}/{self.total}] " if self.total else ""
            sys.stderr.write(f"{number}{stage}\n")
