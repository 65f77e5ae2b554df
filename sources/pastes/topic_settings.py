"""How long topics keep records, as a text says it beside the tables of a group."""

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from evaluation.measuring.offset_history import OffsetHistory
from sources.pastes.page import Page

_SIGN: Final = "retention."
_POLICY_SIGN: Final = "cleanup.policy"
_TOPIC: Final = re.compile(
    r"""(?:\b[Cc]onfigs? for topic\s+|\bTopic:\s*|^\s*NAME\s+)['"]?([\w.-]{1,249})"""
)
"""Above or beside its settings: kafka-configs, kafka-topics, rpk."""
_VALUE: Final = r"""["']?\s*(?:[=:]|\s)\s*["']?"""
_TIME: Final = re.compile(rf"(?<![\w.-])retention\.ms{_VALUE}(-?\d{{1,18}})\b")
_SIZE: Final = re.compile(rf"(?<![\w.-])retention\.bytes{_VALUE}(-?\d{{1,18}})\b")
_POLICY: Final = re.compile(rf"(?<![\w.-])cleanup\.policy{_VALUE}([a-z,\[\] ]{{1,40}})")
_MS: Final = 1000.0


class TopicSettings(NamedTuple):
    """Retention by topic."""

    retention_s: Mapping[str, float]
    """Infinite if records are never deleted by age."""
    unlimited: frozenset[str]
    """Topics without a size limit."""
    lines: frozenset[int]
    """The lines that tell it."""

    def added_to(
        self, history: OffsetHistory | None, topics: Iterable[str]
    ) -> OffsetHistory | None:
        """Return the history with what is known of these topics."""
        told = {name: self.retention_s[name] for name in topics if name in self.retention_s}
        if not told:
            return history
        unlimited = self.unlimited & told.keys()
        return replace(history or OffsetHistory(), retention_s=told, unlimited=unlimited)


def topic_settings_in(page: Page, topics: Collection[str]) -> TopicSettings:
    """Return what a text says of the retention of these topics, whichever tool printed it.

    Settings that name no topic are those of the only one.
    """
    retention_s: dict[str, float] = {}
    unlimited, compacted = set[str](), set[str]()
    lines: dict[int, str] = {}
    topic, above = next(iter(topics)) if len(topics) == 1 else "", -1
    for number, line in enumerate(page.lines if _SIGN in page.source else ()):
        if (named := _TOPIC.search(line)) is not None:
            topic, above = named[1], number
        if topic not in topics or (_SIGN not in line and _POLICY_SIGN not in line):
            continue
        time, size, policy = (each.search(line) for each in (_TIME, _SIZE, _POLICY))
        if time is None and size is None and policy is None:
            continue
        lines |= dict.fromkeys({above, number} - {-1}, topic)
        if time is not None:
            retention_s[topic] = math.inf if int(time[1]) < 0 else int(time[1]) / _MS
        if size is not None and int(size[1]) < 0:
            unlimited.add(topic)
        if policy is not None and "delete" not in policy[1] and "compact" in policy[1]:
            compacted.add(topic)  # of which retention deletes nothing
    retention_s |= dict.fromkeys(compacted, math.inf)
    told = (number for number, topic in lines.items() if topic in retention_s)
    return TopicSettings(retention_s, frozenset(unlimited | compacted), frozenset(told))
