"""``kafka-consumer-groups --reset-offsets`` below a table: the offsets that come after it."""

import re
from typing import Final

from evaluation.wording import plural
from sources import cells
from sources.pastes.page import Page
from sources.pastes.parsed import Parsed

_HEADER: Final = re.compile(r"\W*GROUP\s+TOPIC\s+PARTITION\s+NEW-OFFSET\W*")


def note_resets(page: Page, parsed: Parsed) -> None:
    """Note what the lag is with the new offsets; the table above them is from before."""
    ends = {(row.group.name, row.topic, row.partition): row.end for row in parsed.rows}
    new: dict[tuple[str, str, int], int] = {}
    first = 0
    for number, line in enumerate(page.lines):
        if _HEADER.fullmatch(line):
            first = first or number
            continue
        words = line.split()
        if not first or len(words) != len(("group", "topic", "partition", "offset")):
            continue
        group, topic, partition, offset = words
        if cells.is_partition(partition) and offset.isdecimal():
            new[group, topic, int(partition)] = int(offset)
    lags = [max(end - offset, 0) for key, offset in new.items() if (end := ends.get(key))]
    if lags:
        parsed.notes.append(
            f"Line {first + 1}: the text goes on to reset the offsets of "
            f"{plural(len(lags), 'partition')}; from the new ones the lag is {sum(lags):,} in all. "
            "What is shown is from before."
        )
