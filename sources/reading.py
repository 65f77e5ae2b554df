"""What a text or a cluster was found to contain: groups, and what could not be read."""

from dataclasses import dataclass

from assignors.model import Group


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One consumer group found in a text, with an account of how it was read."""

    group: Group
    format: str
    """What the text was taken for, as users know it: ``kafka-consumer-groups --describe``."""
    rows: int
    """Data rows of this group: partitions (idle consumers' rows of dashes not counted)."""
    unknown_lags: int = 0
    """Partition rows of the text whose lag is unknown; partitions not mentioned do not count."""
    idle_members: int | None = 0
    """Members the text shows without partitions; None where it does not say."""
    ignored: tuple[tuple[int, str], ...] = ()
    """Lines that could not be used: line number (from 1) and text; the same for every
    group of one text."""
    notes: tuple[str, ...] = ()
    """Sentences on what was assumed or looked odd, such as lag that contradicts offsets."""
    is_live: bool = False
    """Whether it was read from a running cluster, not from a text."""
    strategy: str | None = None
    """The strategy the text names, if it is one of ours."""
