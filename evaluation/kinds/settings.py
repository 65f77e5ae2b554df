"""Settings that change something for a group that is no consumer group, whatever its kind."""

from assignors.connect.cluster import ConnectCluster
from assignors.share.group import ShareGroup
from evaluation.kinds.said import SettingAdvice
from evaluation.kinds.streams_advice import advice_for
from evaluation.kinds.view import KindView
from evaluation.wording import duration


def settings_of(view: KindView) -> tuple[SettingAdvice, ...]:
    """Return the settings with what each brings here, the most useful first."""
    if isinstance(view.group, ConnectCluster):
        return _of_connect(view.group)
    if isinstance(view.group, ShareGroup):
        return _OF_SHARE
    return advice_for(view, view.group)


def setting_for_now(view: KindView) -> SettingAdvice | None:
    """Return the setting that answers what is the matter; None where none does."""
    return next((each for each in settings_of(view) if each.is_for_now), None)


def _of_connect(group: ConnectCluster) -> tuple[SettingAdvice, ...]:
    delay = duration(group.max_delay_ms / 1000)
    return (
        SettingAdvice(
            "scheduled.rebalance.max.delay.ms",
            "what a restart of a worker takes",
            f"lost work waits {delay}: shorter where an autoscaler removes workers for good, "
            "longer where a pod restarts slowly.",
        ),
        SettingAdvice(
            "tasks.max",
            "up to the partitions that a sink reads",
            "a source's connector may make fewer tasks than allowed.",
        ),
        SettingAdvice(
            "host name of a worker",
            "one that stays",
            "workers are sorted by host and port: equal names give equal answers after a restart.",
        ),
    )


_OF_SHARE = (
    SettingAdvice(
        "group.share.partition.max.record.locks",
        "what all consumers of a partition work on at once",
        "bounds the records of a partition that are in flight.",
    ),
    SettingAdvice(
        "group.share.record.lock.duration.ms",
        "longer than one record takes",
        "a record that is not acknowledged in time comes again.",
    ),
)
