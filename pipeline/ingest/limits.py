"""Limits of a row; one beyond them is taken to be damaged."""

from typing import Final

PARTITIONS: Final = 1_000_000
"""A topic's partitions are numbered below this: one absurd number must not cost the memory of
as many partitions. Kafka clusters hold about 200,000 partitions, of all topics together."""
NAME_BYTES: Final = 32_767
"""The longest string of Kafka's protocol: group, member, client and instance ids, hosts."""
TOPIC_BYTES: Final = 249
"""The longest name that Kafka gives a topic (``Topic.MAX_NAME_LENGTH``)."""
NEEDED: Final = ("cluster", "group_id", "snapshot_at")
"""Without these a row cannot be assigned to a snapshot."""
OFFSETS: Final = ("log_start_offset", "log_end_offset", "committed_offset")
NO_OFFSET: Final = (-1, -1001)
"""What Kafka and librdkafka write for an offset that is not there."""
BY_DURATION: Final = (
    r"by_duration:P(?=.)(?:(\d{1,6})D)?"
    r"(?:T(?=\d)(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?"
)
"""What Kafka lets ``auto.offset.reset`` be; ``replay.offsets`` says what it does."""
FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2099
"""Years of a snapshot. Within them, an epoch number's size tells its unit."""
RAW_CHARACTERS: Final = 65_536
"""How much of a rejected row is kept."""
QUOTED_CHARACTERS: Final = 80
"""How much of a value a reason quotes."""
