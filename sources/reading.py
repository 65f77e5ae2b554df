"""A consumer group read from a text or a cluster, and how it was read."""

from dataclasses import dataclass

from assignors.model import Group


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One consumer group and an account of how it was read."""

    group: Group
    format: str
    """The format of the text, as users know it: ``kafka-consumer-groups --describe``."""
    rows: int
    """Data rows of this group: partitions (idle consumers' rows of dashes not counted)."""
    unknown_lags: int = 0
    """Rows of the text with unknown lag; partitions without a row do not count."""
    idle_members: int | None = 0
    """Members without partitions; None where the text does not show them."""
    ignored: tuple[tuple[int, str], ...] = ()
    """Lines that could not be used: line number (from 1) and text; the same for every
    group of one text."""
    notes: tuple[str, ...] = ()
    """Sentences on what was assumed or looked odd, such as lag that contradicts offsets."""
    is_live: bool = False
    """Whether it was read from a running cluster, not from a text."""
    strategy: str | None = None
    """The strategy the text names, if it is one of ours."""
