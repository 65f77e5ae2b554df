"""What is asked of groups of other kinds is stated of a group, and leaves the screen with it."""

from evaluation.kinds.stated import BrokerStated, ClassicStated, ConnectStated, ShareStated
from evaluation.stated import stated_of
from ui import told
from ui.choices.choice import Lasts


def test_every_field_of_a_kind_is_among_what_is_stated() -> None:
    names = set()
    for kind in (ClassicStated, BrokerStated, ConnectStated, ShareStated):
        for name, each in stated_of(kind).items():
            names.add(each.link or name)

    assert {told.number(name).lasts for name in names} == {Lasts.GROUP}
