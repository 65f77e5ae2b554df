"""A share group: its consumers come and go."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from confluent_kafka import TopicCollection
from confluent_kafka.admin import AdminClient

from assignors.share.group import ShareGroup, ShareMember, ShareTopic, TopicPartition
from assignors.share.strategies import SIMPLE
from evaluation.kinds.asking import forecast
from evaluation.kinds.forecast import NO_CHANGE, OtherMembers
from evaluation.kinds.orders import orders_of
from live.offsets import topic_id_of
from sources.errors import SourceError
from sources.text import read_text
from tests.broker.kind_events import Seen, counts_of, settled
from tests.broker.kind_members import KindMembers, Teller

KIND: Final = "Share groups"
TOPICS: Final = {"jobs": 5, "events": 3}
RELEASE: Final = (4, 4)
_WAIT_S: Final = 30


@dataclass
class ShareConsumers:
    """A group with its consumers on this machine, and what its rebalances brought."""

    servers: str
    members: KindMembers
    teller: Teller
    group: str
    seen: list[Seen] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """Member id -> the name of its process."""
    now: ShareGroup | None = None

    def join(self, name: str) -> None:
        """Forecast what one more consumer brings, start it, and compare."""
        settings = {"bootstrap.servers": self.servers, "group.id": self.group}
        self._compare(
            "join",
            OtherMembers(more=1),
            lambda: self.members.start(name, "share", ",".join(TOPICS), settings),
        )
        assert self.now is not None
        (new,) = {each.id for each in self.now.members} - set(self.names)
        self.names[new] = name

    def leave(self, name: str, event: str, act: Callable[[str], None]) -> None:
        """Forecast what one consumer less brings, end or kill it, and compare."""
        (member,) = (each for each, of in self.names.items() if of == name)
        self._compare(event, OtherMembers(without=(member,)), lambda: act(name))
        del self.names[member]

    def _compare(self, event: str, what_if: OtherMembers, act: Callable[[], None]) -> None:
        before = self.now or ShareGroup(self._topics(), [])
        found = forecast(before, what_if, RELEASE) if before.members else None
        act()
        count = len(before.members) + what_if.more - len(what_if.without)
        self.now = after = settled(lambda: self._read(count), f"{self.group}, {event}")
        here = {each.id for each in before.members}
        stay = [each for each in before.members if each.id not in what_if.without]
        new = [ShareMember(each.id, list(TOPICS)) for each in after.members if each.id not in here]
        answers = list(_answers(replace(before, members=[*stay, *new])))
        real = {each.id: each.held for each in after.members}
        held = forecast(after, NO_CHANGE, RELEASE).now
        self.seen.append(
            Seen(
                KIND,
                event,
                self.group,
                is_as_stated=found is None or counts_of(found.then) == counts_of(held),
                is_right=real in answers,
                is_right_by_thread=real in answers,
                is_sole=len(answers) == 1,
                detail="" if real in answers else f"{answers[0]} / {real}",
            )
        )

    def _topics(self) -> dict[str, ShareTopic]:
        admin = AdminClient({"bootstrap.servers": self.servers})
        found = admin.describe_topics(TopicCollection(list(TOPICS)))
        return {
            name: ShareTopic(TOPICS[name], topic_id_of(each.result(_WAIT_S).topic_id))
            for name, each in found.items()
        }

    def _read(self, count: int) -> ShareGroup | None:
        """Return the group once it has that many consumers and every partition has one."""
        text = self.teller.ask("share", self.group)
        try:
            (reading,) = read_text(text)
        except (SourceError, ValueError):
            return None
        group = reading.as_kind
        if not isinstance(group, ShareGroup) or len(group.members) != count:
            return None
        read = {partition for each in group.members for partition in each.held}
        is_all = len(read) == sum(TOPICS.values())
        is_told = all(each.held for each in group.members)
        return replace(group, topics=self._topics()) if is_all and is_told else None


def _answers(group: ShareGroup) -> Iterator[Mapping[str, frozenset[TopicPartition]]]:
    """Yield each possible target, the likeliest first."""
    seen: list[Mapping[str, frozenset[TopicPartition]]] = []
    for order in orders_of([each.id for each in group.members]).positions:
        found = SIMPLE.assign(replace(group, members=[group.members[at] for at in order])).members
        if found not in seen:
            seen.append(found)
            yield found
