"""What is said and done about each action, one row an action, by theme."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.action_rows.consumers import CONSUMERS
from evaluation.answering.action_rows.looking import LOOKING
from evaluation.answering.action_rows.owners import OWNERS
from evaluation.answering.action_rows.placed import PLACED
from evaluation.answering.action_rows.records import RECORDS
from evaluation.answering.action_rows.row import ActionRow
from evaluation.answering.actions import Action

ACTIONS: Final[Mapping[Action, ActionRow]] = {**OWNERS, **CONSUMERS, **RECORDS, **LOOKING, **PLACED}
"""Every action has one."""
