"""The examples of ``sample_data/``: to add one, add its file and its entry in ``index.json``."""

from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from assignors.model import Claims, Group, Layout, Offsets
from assignors.strategy import Strategy
from assignors.suggestions import nearest
from evaluation.reading import Reading
from sources.errors import SourceError
from sources.group_json import FORMAT, decode
from sources.notes import notes_on

_FOLDER: Final = Path(__file__).parent.parent / "sample_data"
PASTE: Final = _FOLDER / "describe-orders.txt"
"""Output of ``kafka-consumer-groups.sh --describe``, to show what can be pasted."""


class Example(msgspec.Struct, frozen=True):
    """One example, as the picker shows it."""

    id: str
    title: str
    look_at: str
    """What to look at, in a sentence or two."""
    provenance: str
    weakness_of: tuple[str, ...] = ()
    """Names of the strategies whose weakness it shows."""


SAMPLES: Final = msgspec.json.decode((_FOLDER / "index.json").read_bytes(), type=list[Example])
"""Every sample, in display order; the first is what a new visitor sees.

Its group is in the file named after its id, ``large`` excepted.
"""


class Simulated(msgspec.Struct, frozen=True):
    """What a strategy made of the hours that ``benchmarks.simulation`` plays; medians."""

    busy: float
    """The arrival rate, as a share of what all consumers can read."""
    strategy: str
    above: float
    """The share of time in which more arrives for some consumer than it reads."""
    worst_s: float
    mean_s: float
    moves: float
    """A rebalance."""


SIMULATED: Final = msgspec.json.decode(
    (_FOLDER / "simulation.json").read_bytes(), type=list[Simulated]
)

LARGE: Final = "large"
"""The example that is generated rather than read."""


def shows_weakness(strategy: Strategy) -> Example | None:
    """Return the example that shows a strategy's weakness, if there is one."""
    return next((sample for sample in SAMPLES if strategy.name in sample.weakness_of), None)


def load(id: str) -> Reading:  # noqa: A002 -- the field is named so in the index
    """Return one example by id.

    Raises SourceError for an id that is not among ``SAMPLES``.
    """
    if id not in {sample.id for sample in SAMPLES}:
        message = f"there is no sample {id!r}; {nearest(id, (sample.id for sample in SAMPLES))}"
        raise SourceError(message)
    if id == LARGE:
        group = large()
        notes = tuple(notes_on(group))
        return Reading(group=group, format=FORMAT, rows=group.partition_count, notes=notes)
    return decode((_FOLDER / f"{id}.json").read_bytes())


def large(topic_count: int = 40, partitions: int = 250, member_count: int = 500) -> Group:
    """Return a large group with lognormal lags, the same each time.

    All members subscribe to all topics. The last tenth of the members has just joined and
    owns nothing; the others own the partitions round-robin. A tenth of the topics has about
    a hundred times the lag of the rest.
    """
    random = np.random.default_rng(5337)
    size = topic_count * partitions
    busy = np.where(np.arange(topic_count) % 10 == 0, 7.5, 3.0)
    lags = random.lognormal(np.repeat(busy, partitions), 1.2, size)
    layout = Layout.of(
        [f"topic-{t:03d}" for t in range(topic_count)],
        [partitions] * topic_count,
        [f"consumer-large-{m:03d}" for m in range(member_count)],
    )
    claims = Claims.of(
        layout,
        owners=np.arange(size) % (member_count - member_count // 10),
        generations=np.where(np.arange(member_count) < member_count * 9 // 10, 12, -1),
    )
    offsets = Offsets.of(layout, lags=lags.astype(np.int64))
    return Group(id=LARGE, layout=layout, claims=claims, offsets=offsets)
