"""How long topics keep records, as a text says it beside the tables of a group."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

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


@dataclass
class TopicSettings:
    """Retention by topic; "" stands for a topic that is not named."""

    retention_s: dict[str, float] = field(default_factory=dict)
    """Infinite if records are never deleted by age."""
    unlimited: set[str] = field(default_factory=set)
    """Topics without a size limit."""
    compacted: set[str] = field(default_factory=set)
    """Topics that are compacted only, of which retention deletes nothing."""
    lines: dict[int, str] = field(default_factory=dict)
    """The lines that were read, each with its topic."""

    def of(self, topics: Iterable[str]) -> Mapping[str, float]:
        """Return the retention of these topics; settings that name none are those of the only one.

        >>> TopicSettings({"": 60.0}).of(["orders"]), TopicSettings({"": 60.0}).of(["a", "b"])
        ({'orders': 60.0}, {})
        """
        names = list(topics)
        known = {name: self._own(name, names) for name in names}
        return {name: self.retention_s[own] for name, own in known.items() if own is not None}

    def added_to(
        self, history: OffsetHistory | None, topics: Iterable[str]
    ) -> OffsetHistory | None:
        """Return the history with what is known of these topics."""
        names = list(topics)
        retention_s = self.of(names)
        if not retention_s:
            return history
        history = history or OffsetHistory()
        unlimited = {name for name in retention_s if self._own(name, names) in self.unlimited}
        return replace(
            history,
            retention_s={**history.retention_s, **retention_s},
            unlimited=history.unlimited | unlimited,
        )

    def used(self, topics: Iterable[str]) -> set[int]:
        """Return the lines that tell anything of these topics."""
        names = list(topics)
        said = {self._own(name, names) for name in names}
        return {number for number, topic in self.lines.items() if topic in said}

    def _own(self, name: str, names: list[str]) -> str | None:
        """Return under which name a topic's retention stands; None if it is unknown."""
        return next(
            (
                each
                for each in (name, *([""] if len(names) == 1 else ()))
                if each in self.retention_s
            ),
            None,
        )


def topic_settings_in(page: Page) -> TopicSettings:
    """Return what a text says of topics' retention, whichever tool printed it."""
    found = TopicSettings()
    if _SIGN not in page.source:
        return found
    topic, above = "", -1
    for number, line in enumerate(page.lines):
        if (named := _TOPIC.search(line)) is not None:
            topic, above = named[1], number
        if _SIGN not in line and _POLICY_SIGN not in line:
            continue
        time, size, policy = (each.search(line) for each in (_TIME, _SIZE, _POLICY))
        if time is None and size is None and policy is None:
            continue
        found.lines |= dict.fromkeys({above, number} - {-1}, topic)
        if time is not None:
            found.retention_s[topic] = math.inf if int(time[1]) < 0 else int(time[1]) / _MS
        if size is not None and int(size[1]) < 0:
            found.unlimited.add(topic)
        if policy is not None and "delete" not in policy[1] and "compact" in policy[1]:
            found.compacted.add(topic)
    found.retention_s |= dict.fromkeys(found.compacted, math.inf)
    found.unlimited |= found.compacted
    return found
