"""The cost of a rolling restart under each protocol, and whether static ids would help."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import Group
from charts.bars import loss_bars
from evaluation.rebalance.timing import Loss, Timing, rolling_restart_losses
from evaluation.stated import InvalidNumberError
from evaluation.wording import listed
from ui import widgets
from ui.caching import cached
from ui.choices.number import NumberChoice

_loss_bars = cached(16)(loss_bars)


def calculator(group: Group, timing: Timing) -> None:
    """Show the loss of a rolling restart, in closed form, with and without static ids."""
    st.subheader("Rolling restart: would static ids help?")
    controls, answer = st.columns([2, 3], gap="large")
    with controls, st.grid(2, min_column_width=190):
        members = _count("Consumers to restart", "restarted", group.member_count)
        wanted = int(np.count_nonzero(group.is_wanted))
        partitions = _count("Partitions they share", "shared", wanted)
    try:
        losses = rolling_restart_losses(members, partitions, timing)
    except InvalidNumberError as error:
        with controls:
            widgets.refusal(error)
        return
    with answer:
        st.markdown(crossover(losses, timing))
        widgets.picture(
            _loss_bars(losses),
            "losses",
            "Partition-seconds that a rolling restart loses under each protocol, without and "
            "with static ids; the table has the same figures",
        )
        _table(losses, partitions)
        st.markdown(
            "Computed, not simulated: consumers restart one after another, and only the partitions "
            "that must move do. Without static ids each restart is two rebalances; with them it is "
            "none, unless the session times out first."
        )


def crossover(losses: Sequence[Loss], timing: Timing) -> str:
    """Return in words how short a restart must be for static ids to pay off."""
    limits = "; ".join(_limit(loss, timing) for loss in losses)
    better = [loss.protocol.short for loss in losses if loss.static < loss.dynamic]
    where = f"under {listed(better)}" if better else "under no protocol"
    if len(better) == len(losses):
        where = "under every protocol"
    away = f"A restart takes {timing.restart_s:,g} s"
    if timing.is_restart_noticed:
        away += ", which is longer than the session timeout"
    return f"Static ids pay off if a restart takes {limits}. {away}: they pay off **{where}**."


def _limit(loss: Loss, timing: Timing) -> str:
    limit = f"less than **{loss.pays_off_below_s:,g} s** under {loss.protocol.short}"
    is_session = loss.pays_off_below_s == timing.session_timeout_s
    return f"{limit} (the session timeout)" if is_session else limit


def _count(label: str, key: str, usual: int) -> int:
    entered = NumberChoice(f"time_{key}").ask_whole(
        label, placeholder=f"{usual:,}", about="Blank: as many as the group has"
    )
    return usual if entered is None else entered


def _table(losses: Sequence[Loss], partitions: int) -> None:
    shares = max(partitions, 1)
    rows = [
        {
            "Protocol": loss.protocol.short,
            "Without static ids": loss.dynamic,
            "With static ids": loss.static,
            "Per partition, without": loss.dynamic / shares,
            "Per partition, with": loss.static / shares,
        }
        for loss in losses
    ]
    total, each = "Partition-seconds lost in total", "How long nobody reads a partition, on average"
    widgets.table(
        pd.DataFrame(rows),
        "Partition-seconds lost in a rolling restart under each protocol, with and without "
        "static ids",
        {
            "Without static ids": total,
            "With static ids": total,
            "Per partition, without": each,
            "Per partition, with": each,
        },
        dict.fromkeys(("Per partition, without", "Per partition, with"), "%.1f s"),
        pinned=("Protocol",),
    )
