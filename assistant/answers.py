"""What the tools answer; a field that is None is unknown, not zero."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class GroupRead:
    """One consumer group of a text, and how it was read."""

    name: str
    format: str
    consumers: int
    topics: int
    partitions: int
    total_lag: int | None
    """Records behind, over the partitions whose lag is known."""
    unknown_lags: int
    kind: str
    """"consumer", "connect-sink", or a kind in which no strategy of consumer groups assigns."""
    what_to_do: str
    """What assigns in a group of this kind, and what one can do."""
    state: str | None
    """As Kafka's tools write it: Stable, Empty, PreparingRebalance; None if unknown."""
    strategy: str | None
    """The strategy that the text names."""
    snapshots: int
    """Moments that the text holds; with two or more, rates are measured."""
    ignored_lines: list[str]
    """The first lines that could not be used, with their numbers."""
    notes: list[str]


@dataclass(frozen=True, kw_only=True)
class StrategyOutcome:
    """What to expect of one strategy."""

    strategy: str
    label: str
    takes: str
    """How one gets it: setting, broker, jar (an assignor of ours or your own), or it is of an
    earlier release; nothing for the present owners."""
    expected: str
    """"next rebalance": exact for these ids and claims. "after a switch": the median of drawn
    restarts, which give new ids and lose the claims."""
    busiest_load: int | None
    """Of what the comparison is judged by."""
    busiest_load_from: int | None
    """After a switch: the 5th percentile; the 95th is ``busiest_load_to``."""
    busiest_load_to: int | None
    busiest_lag: int | None
    """Records of the consumer with most lag."""
    busiest_lag_from: int | None
    """After a switch: the 5th percentile; the 95th is ``busiest_lag_to``."""
    busiest_lag_to: int | None
    busiest_partitions: int
    moved: int | None
    """Partitions that change their consumer; None if nobody owns any now."""
    idle_consumers: int
    certainty: str
    holds_for: str
    """The client and the releases for which a prediction is exact, and their known defects; "" for
    strategies of no client and for present owners."""
    why: str
    """One sentence on why it comes out so."""
    why_not: str | None
    """Why it is not proposed, with the figures that decide; None for the proposal and for what the
    group has already."""


@dataclass(frozen=True, kw_only=True)
class StrategiesCompared:
    """One group under several strategies."""

    group: str
    consumers: int
    partitions: int
    judged_by: str
    """"lag", or "partitions" where no lag tells strategies apart."""
    running: str | None
    """The strategy that the group runs, as far as anything tells."""
    now: StrategyOutcome | None
    """The present owners; None if nobody owns anything."""
    lower_bound: int | None
    """No assignment brings the busiest consumer's load below it; whether one reaches it is open."""
    outcomes: list[StrategyOutcome]
    """Empty where the text does not say enough of the consumers to predict anything."""
    verdict: str
    """What is the matter with the group; ``answer`` has the figures."""
    proposal: str | None
    """The one thing to do, in words; None if there is nothing to do."""
    proposed_strategy: str | None
    """The strategy to switch to, if that is what to do."""


@dataclass(frozen=True, kw_only=True)
class ExplanationStep:
    """One step on the way to an owner, as the strategy tells it."""

    rule: str
    text: str


@dataclass(frozen=True, kw_only=True)
class OwnerExplained:
    """Why one partition has its owner under one strategy."""

    group: str
    partition: str
    strategy: str
    owner: str | None
    """None if nobody subscribes to the topic."""
    steps: list[ExplanationStep]
    certainty: str
    holds_for: str
    """As in ``StrategyOutcome``."""


@dataclass(frozen=True, kw_only=True)
class PlacementStep:
    """One step about a task, a connector or a partition, as the group's own strategy tells it."""

    round: int
    begins_with: str
    """What the round begins with: the change, what was given up, a delay, a probing rebalance."""
    after_s: float
    """Since the change."""
    holder: str | None
    """A thread, an instance, a worker or a consumer; None for what waits."""
    does: str
    why: str


@dataclass(frozen=True, kw_only=True)
class PlacementExplained:
    """Why a group of another kind than consumers has something where it is in the end."""

    group: str
    item: str
    strategy: str
    holders: dict[str, str]
    """Each with its role: stateful, stateless, standby, warm-up, connector, task, read."""
    rounds: list[PlacementStep]
    certainty: str


@dataclass(frozen=True, kw_only=True)
class StrategyPlan:
    """How many consumers one strategy needs."""

    strategy: str
    label: str
    takes: str
    """As in a comparison."""
    kind: str
    """What the plan comes to."""
    consumers: int | None
    """The plan: from here on every larger number is in time, with headroom; None without one."""
    least: int | None
    """The smallest number tried that is in time at all, without headroom."""
    late_between: list[int]
    """Numbers between the least and the plan that are late even without headroom."""
    seconds: float | None
    """Until the planned consumers have cleared the backlog."""
    seconds_with_headroom: float | None
    untried_above: int
    """Larger numbers that were not tried."""


@dataclass(frozen=True, kw_only=True)
class CapacityPlan:
    """How many consumers clear a backlog in time."""

    group: str
    consumers_today: int
    plan: StrategyPlan | None
    """Of what the answer proposes, else the best setting, else the best jar; None where neither
    arrivals nor speed are known: ask for them."""
    rests_on: str
    """The weaker source of arrivals and speed: measured, stated or a guess."""
    records_per_second_of_a_consumer: float
    speed_is: str
    """Where that speed comes from: stated, measured, or a guess."""
    records_per_second_arriving: float | None
    """Now, without the peak factor."""
    arriving_is: str | None
    peak: float
    headroom_percent: float
    seconds_allowed: float
    seconds_paused: float
    fewest_possible: int | None
    """No assignment is in time with fewer; None if no number of consumers is enough."""
    decided_by: str | None
    """The partition that alone takes too long, or leaves no headroom."""
    too_heavy: list[str]
    """Partitions that no single consumer clears in time."""
    partitions_needed: dict[str, int]
    """For each topic, at the peak with headroom and with keys spread evenly."""
    strategies: list[StrategyPlan]


@dataclass(frozen=True, kw_only=True)
class FleetGroup:
    """One group of a fleet: what is the matter, and what another strategy would gain."""

    rank: int | None
    """By what a setting gains; None of a group in which no strategy of consumer groups assigns."""
    cluster: str
    group: str
    urgency: str
    """"behind" (it does not keep up), "warned", "by-setting" or "by-jar" (that helps), "unknown"
    (too little known), "open" (a gain to check), "unseen" (nobody looked), "rest" (nothing to
    change)."""
    verdict: str | None
    """What is the matter at the last snapshot, as ``answer`` says it; None if nobody looked."""
    lag_records: int | None
    """Known records that wait at the last snapshot."""
    action: str | None
    """What is proposed, as ``answer`` names it; None if nothing."""
    strategy: str | None
    """The one to switch to, if that is proposed."""
    is_checked: bool
    """Whether what is proposed holds at the last snapshot; otherwise it is open to check."""
    best_strategy: str | None
    """The one with the least load over the window, be it a jar; "as-it-was": nothing to gain."""
    busiest_load_as_it_was: float | None
    """Mean over the snapshots, as are the others."""
    busiest_load: float | None
    gain_load: float | None
    moves: float | None
    """Partitions moved a snapshot under the best strategy."""
    reason: str


@dataclass(frozen=True, kw_only=True)
class FleetRanking:
    """The groups of a fleet, the most urgent first."""

    folder: str
    text: str
    """How many do not keep up, and where to start, as the page says it."""
    groups: int
    behind: int
    """Groups that do not keep up."""
    gaining: int
    """Groups that another strategy would serve better."""
    judged_by: str
    """What a partition weighs: "lag", "work" (arrivals of 5 minutes too), "rate", "partitions"."""
    total_gain_load: float
    strategies: list[str]
    """Those that the pipeline replayed."""
    ranking: list[FleetGroup]
    """The first of them."""
