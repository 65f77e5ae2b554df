"""Texts of groups that Hypothesis draws."""

from hypothesis import strategies as st

from tests.doors.texts import Flow, describe, snapshots


@st.composite
def texts_of_groups(draw: st.DrawFn) -> str:
    """Draw up to four consumers of up to eight partitions, in one snapshot or two, as pasted."""
    consumers = draw(st.integers(0, 4))
    owner = st.none() if not consumers else st.one_of(st.none(), st.integers(1, consumers))
    rates = st.sampled_from([0.0, 5.0, 50.0, 400.0])
    flow = st.builds(
        Flow, owner, st.integers(0, 10**6), st.integers(0, 200_000), arriving=rates, read=rates
    )
    flows = draw(st.lists(flow, min_size=1, max_size=8))
    form = draw(st.sampled_from(["one", "dated", "undated"]))
    return describe(flows) if form == "one" else snapshots(flows, dated=form == "dated")
