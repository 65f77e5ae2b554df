"""What sentences name of work that a group of another kind places: tasks, shared partitions."""

from itertools import chain

from assignors.connect.cluster import ConnectCluster, ConnectorTask
from assignors.share.group import ShareGroup
from assignors.streams.application import StreamsApplication
from evaluation.answering.answer import Answer
from evaluation.answering.fields.names import Fields
from evaluation.answering.verdicts import Verdict
from evaluation.kinds.board import Board, Role
from evaluation.kinds.forecast import KindGroup
from evaluation.kinds.said import counted, spread_over, spread_said
from evaluation.kinds.settings import setting_for_now
from evaluation.kinds.share_words import queue_or_partitions, readers_of, shared_said
from evaluation.kinds.streams_course import balanced_s, probing_of
from evaluation.kinds.streams_words import capped
from evaluation.kinds.view import KindView
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import amount, duration, listed, plural


def placed_in(answer: Answer, view: KindView) -> Fields:
    """Return what is placed, whom the verdict names of it, and the setting that helps."""
    found: Fields = {**_of_the_kind(view), **_named(answer.verdict, view.group)}
    if (setting := setting_for_now(view)) is not None:
        found["setting"] = setting.said
    return found


def _of_the_kind(view: KindView) -> Fields:
    if isinstance(view.group, ConnectCluster):
        return _connect(view.now, view.group)
    if isinstance(view.group, ShareGroup):
        return _share(view.now, view.group)
    return {**_streams(view), **_copies(view.now, view.group)}


def _connect(board: Board, group: ConnectCluster) -> Fields:
    workers = list(board.counts().values())
    found: Fields = {
        "task_count": f"{_tasks_of(group):,}",
        "workers": counted(1, "worker") if len(workers) == 1 else plural(len(workers), "worker"),
        "connectors": plural(len(board.parts), "connector"),
        "delay": duration(group.max_delay_ms / 1000),
    }
    if len(workers) > 1:
        found["spread"] = spread_said(workers)
        found |= {"is_even": True} if max(workers) - min(workers) <= 1 else {}
    if not group.is_as_reported:
        found["as_listed"] = True
    return found


def _share(board: Board, group: ShareGroup) -> Fields:
    partitions = sum(each.partitions for each in group.topics.values())
    consumers = len(board.holders)
    return {
        "readers": f"{plural(consumers, 'consumer')} {'reads' if consumers == 1 else 'read'}",
        "shared": plural(partitions, "partition"),
        "spread": spread_said(list(board.counts().values())),
        "readers_of_each": shared_said(readers_of(board), partitions),
        "queue_or_partitions": queue_or_partitions(consumers, partitions),
    }


def _streams(view: KindView) -> Fields:
    board, tasks = view.now, sum(each.items for each in view.now.parts)
    idle = sum(not each.runs for each in board.holders)
    found: Fields = {
        "tasks": plural(tasks, "task"),
        "tasks_are": "is" if tasks == 1 else "are",
        "threads": plural(len(board.holders), "thread"),
        "idle_threads": f"{idle:,} of {plural(len(board.holders), 'thread')}",
        "idle_run": "runs" if idle == 1 else "run",
    }
    if isinstance(view.group, StreamsApplication):
        found["warms_up"] = True
    if cap := capped(board):
        found["capped"] = cap
    if len(board.homes) > 1:
        found["where"] = spread_over(list(board.counts().values()), "instance")
    if probing := probing_of(view):
        found["balanced"] = f"{plural(probing, 'probing rebalance')}, {duration(balanced_s(view))}"
    return {**found, **_behind(board)}


def _behind(board: Board) -> Fields:
    """Return who has most of the lag, or that nothing is behind."""
    if any(each.behind for each in board.holders):
        worst = max(board.holders, key=lambda each: each.behind or 0)
        at = f"{worst.home} {worst.label}" if worst.home else worst.label
        return {"most_behind": f"{amount(worst.behind)} of them for {at}"}
    return {"is_read": True} if board.is_lag_known else {}


def _copies(board: Board, group: KindGroup) -> Fields:
    """Return which tasks have state, and which of them no copy."""
    stateful = {b.name for each in board.holders for b in each.blocks if b.role is Role.STATEFUL}
    copied = {block.name for each in board.holders for block in each.copies}
    if not stateful:
        return {"no_state": True}
    found: Fields = {"stateful": plural(len(stateful), "stateful task")}
    if stateful <= copied:
        return {**found, "all_copied": True}
    if isinstance(group, StreamsApplication) and not group.knows_offsets and not copied:
        return {**found, "copies_unseen": True}
    bare = len(stateful - copied)
    return {**found, "uncopied": f"{bare:,}", "uncopied_are": "is" if bare == 1 else "are"}


def _named(verdict: Verdict, group: KindGroup) -> Fields:
    """Return the work that the verdict names, with verbs that agree with it."""
    if not verdict.work:
        return {}
    is_one = len(verdict.work) == 1
    found: Fields = {
        "work": listed(verdict.work),
        "work_count": _how_many(verdict, group),
        "work_are": "is" if is_one else "are",
        "work_have": "has" if is_one else "have",
        "work_run": "runs" if is_one else "run",
        "work_it": "it" if is_one else "them",
    }
    if verdict.told:
        found["told"] = verdict.told.rstrip(".")
    if isinstance(group, ConnectCluster):
        found |= _connectors(verdict, group)
    return found


def _connectors(verdict: Verdict, group: ConnectCluster) -> Fields:
    """Return whose tasks these are, and what somebody did to those that rest."""
    items = _items(group)
    first, *others = dict.fromkeys(items[each].connector for each in verdict.work)
    found: Fields = {
        "of_connector": first,
        "of_items": plural(group.configured.get(first, 0), "task"),
    }
    if others:
        found["other_connectors"] = listed(others)
    if verdict.kind is VerdictKind.TASKS_CLUMPED:
        found["work_number"] = f"{len(verdict.work):,}"
    if verdict.kind is VerdictKind.TASKS_PAUSED:
        stopped = {each.name for each in group.stopped}
        ways = {"stopped" if each in stopped else "paused" for each in verdict.work}
        found["rests"] = " or ".join(sorted(ways))
        found |= {"all_stopped": True} if ways == {"stopped"} else {}
    return found


def _how_many(verdict: Verdict, group: KindGroup) -> str:
    """Return "2 of 4 tasks and a connector", "3 of 11 partitions"."""
    noun, themselves = "task", 0
    if isinstance(group, ConnectCluster):
        items = _items(group)
        of = sum(not each.is_connector for each in items.values())
        themselves = sum(items[each].is_connector for each in verdict.work)
    elif isinstance(group, ShareGroup):
        noun, of = "partition", sum(each.partitions for each in group.topics.values())
    else:
        of = len(group.tasks)
    own = len(verdict.work) - themselves
    said = [f"{own:,} of {plural(of, noun)}"] if own else []
    said += [counted(themselves, "connector")] if themselves else []
    return " and ".join(said)


def _tasks_of(group: ConnectCluster) -> int:
    return sum(group.configured.values())


def _items(group: ConnectCluster) -> dict[str, ConnectorTask]:
    """Return connectors and tasks by name, also those that run or failed and are not configured.

    A task is meant where a connector is called as it is.
    """
    held = chain.from_iterable(worker.holds for worker in group.workers)
    every = (*group.work, *held, *group.failed, *group.paused, *group.stopped)
    return {each.name: each for each in sorted(every, key=lambda each: not each.is_connector)}
