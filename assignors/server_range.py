"""Range as the group coordinator computes it (KIP-848)."""

from assignors.model import Group, Owners
from assignors.range_ import blocks
from assignors.single_member import unless_alone


@unless_alone
def server_range(group: Group) -> Owners:
    """Cut every topic on its own into near-equal blocks, in member order.

    Static members come first, by instance id, then the others by member id. Unlike
    ``range_``, it does not look at racks. Source: KIP-848, RangeAssignor of the group
    coordinator.

    >>> group = Group.fresh({"t0": 3, "t1": 3}, members=["C0", "C1"])
    >>> group.named(server_range(group))
    {'C0': ('t0-0', 't0-1', 't1-0', 't1-1'), 'C1': ('t0-2', 't1-2')}
    """
    return group.seated_static_first(blocks(group))
