"""Limits of a row; a row beyond them counts as damaged."""

from typing import Final

PARTITIONS: Final = 1_000_000
"""Partition numbers are below this, lest one absurd number cost the memory of
as many partitions. A Kafka cluster holds about 200,000 partitions over all topics."""
MISSING: Final = 1_000
MISSING_PER_ROW: Final = 9
"""Kafka numbers partitions from 0 on, so a number implies all below it. A topic of a snapshot may
lack the rows of this many, and as many more for each row it has; beyond that a number is absurd."""
MISSING_IN_ALL: Final = 10_000
"""The topics of a group's snapshot together may lack this many, and ``MISSING_PER_ROW``."""
NAME_BYTES: Final = 32_767
"""The longest string of Kafka's protocol: group, member, client and instance ids, hosts."""
TOPIC_BYTES: Final = 249
"""The longest name that Kafka gives a topic (``Topic.MAX_NAME_LENGTH``)."""
NEEDED: Final = ("cluster", "group_id", "snapshot_at")
"""A row without one of these belongs to no snapshot."""
OFFSETS: Final = ("log_start_offset", "log_end_offset", "committed_offset")
NO_OFFSET: Final = (-1, -1001)
"""The numbers that Kafka and librdkafka write for a missing offset."""
BY_DURATION: Final = (
    r"by_duration:P(?=.)(?:(\d{1,6})D)?"
    r"(?:T(?=\d)(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?"
)
"""Durations that ``auto.offset.reset`` may hold; ``replay.offsets`` applies them."""
FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2099
"""Years of a snapshot. Within them, the size of an epoch number reveals its unit."""
RAW_CHARACTERS: Final = 65_536
"""How much of a rejected row is kept."""
HEADER_CHARACTERS: Final = 100_000
"""The longest header of a CSV file; Python's csv reads no field beyond 131,072."""
HEADERS: Final = 50
"""The most different headers of CSV files in a run: each makes the plan of its query longer."""
QUOTED_CHARACTERS: Final = 80
"""How much of a value a reason quotes."""
