"""The names that sentences call figures and conditions by; a template has no others."""

from typing import TypedDict


class GroupFields(TypedDict, total=False):
    """Of the group, whatever the verdict: filled in by ``group``."""

    all_unknown: bool
    alone: str
    assigned_by: str
    bare: str
    bare_decides: bool
    bare_records: str
    by_setting: bool
    by_topic: str
    connector: str
    counts_even: bool
    empty: bool
    fenced: str
    fresh: bool
    group: str
    group_has: str
    group_is: str
    kind: str
    kind_advice: str
    lacking: str
    lags_known: str
    late: str
    later: str
    live: bool
    long_span: str
    look_at: str
    maybe_sink: str
    member_noun: str
    members: str
    members_alone: bool
    members_are: str
    members_count: str
    needs_partitions: bool
    no_assignor: str
    no_lags: bool
    no_members: bool
    nothing_known: bool
    off_by_one: bool
    open: bool
    owners_unknown: str
    partitions: str
    partitions_are: str
    partitions_count: str
    paused: str
    restart_call: str
    share_them: str
    single: bool
    some_named: bool
    startable: str
    tasks_now: str
    tasks_then: str
    these: str
    topics: str
    unread_topics: str
    watched: bool


class LoadFields(TypedDict, total=False):
    """How loads are divided: by ``load``."""

    above_share: bool
    busiest_amount: str
    busiest_load: str
    busiest_who: str
    by_lag: bool
    deciding: str
    even_share: str
    heaviest: str
    keep_up: bool
    most_of_it: str
    negligible: bool
    noun: str
    owned: str
    times: str


class VerdictFields(TypedDict, total=False):
    """Whom the verdict is about, and its figures: by ``verdict``."""

    ahead: str
    are: str
    arrived: str
    arrived_records: str
    arriving: str
    before: str
    behind: str
    catch: str
    changes: str
    cleared: str
    consumers: str
    dated: bool
    deleted_in: str
    deleted_now: bool
    each: str
    ends: str
    ends_alone: str
    ends_known: bool
    gone: str
    growing: str
    grows: str
    growth: str
    have: str
    hold: str
    idle: str
    idle_are: str
    idle_count: str
    idle_own: str
    its_key: str
    keep: str
    killed: str
    lost: str
    moving: str
    needed_there: str
    no_lag: bool
    observed: str
    offset: str
    oldest: str
    one_of_several: bool
    one_what: bool
    others: str
    others_owned: bool
    owners: str
    read: str
    read_between: str
    reading: str
    records_wait: str
    reset: str
    restarted: str
    share: str
    since: str
    skipped: str
    steady: bool
    surplus_only: str
    them: str
    they: str
    times_usual: str
    undated: bool
    usual: str
    what: str
    what_catch: str
    what_count: str
    what_gets: str
    what_it: str
    who: str
    who_at: str
    whole_topics: str


class OptionFields(TypedDict, total=False):
    """What is proposed: by ``option``."""

    by_jar: bool
    calmer: str
    can_be_static: bool
    caught_up: str
    consumer_change: str
    consumers_then: str
    ends_then: str
    even_keeps_pace: bool
    few_gain: str
    few_moves: str
    gain: str
    least_then: str
    more_consumers: str
    more_ends: str
    moved: str
    never_now: bool
    none_helps: bool
    not_by_jar: bool
    on_broker: bool
    presumed: bool
    runs: bool
    span: str
    strategy: str
    then: str
    then_load: str
    those: str
    way: str


class PlacedFields(TypedDict, total=False):
    """What an assignor of another kind places: by ``placed``."""

    all_copied: bool
    all_stopped: bool
    as_listed: bool
    balanced: str
    capped: str
    connectors: str
    copies_unseen: bool
    delay: str
    idle_run: str
    idle_threads: str
    is_even: bool
    is_read: bool
    most_behind: str
    no_state: bool
    of_connector: str
    of_items: str
    other_connectors: str
    queue_or_partitions: str
    readers: str
    readers_of_each: str
    rests: str
    setting: str
    shared: str
    spread: str
    stateful: str
    task_count: str
    tasks: str
    tasks_are: str
    threads: str
    told: str
    uncopied: str
    uncopied_are: str
    warms_up: bool
    where: str
    work: str
    work_are: str
    work_count: str
    work_have: str
    work_it: str
    work_number: str
    work_run: str
    workers: str


class RoomFields(TypedDict, total=False):
    """What a room is told beside: by ``presenting``; what an action calls ``do``: by ``words``."""

    alarm: bool
    deciding_share: str
    do: str
    heavy_count: str
    heavy_own: str
    heavy_share: str
    runs_already: bool
    stops_all: bool
    what_hold: str
    what_share: str


class Fields(
    GroupFields, LoadFields, VerdictFields, OptionFields, PlacedFields, RoomFields, total=False
):
    """What is known: figures as sentences write them, and the conditions that hold as True."""
