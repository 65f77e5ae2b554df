from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from evaluation.bounds.flow import Edges, cut
from tests.groups import tried


@st.composite
def networks(draw: st.DrawFn) -> list[Edges]:
    """Draw edges from a source to a first layer, on to a second and third one, and to a sink."""
    inner = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    ends = np.cumsum([0, *inner]).tolist()
    layers = [range(first, beyond) for first, beyond in pairwise(ends)]
    source, sink = (range(node, node + 1) for node in (ends[-1], ends[-1] + 1))
    edges = []
    for number, (tails, heads) in enumerate(pairwise([source, *layers, sink])):
        pairs = [(t, h) for t in tails for h in heads]
        is_some = st.sets(st.sampled_from(pairs), min_size=1)
        chosen = pairs if number == 0 else sorted(draw(is_some))
        sizes = draw(st.lists(st.integers(0, 9), min_size=len(chosen), max_size=len(chosen)))
        tail, head = (np.array(ends) for ends in zip(*chosen, strict=True))
        edges.append(Edges(tail, head, sizes))
    return edges


@given(edges=networks())
@tried(300)
def test_a_maximum_flow_and_its_cut_are_those_of_scipy(edges: list[Edges]) -> None:
    sink = int(edges[-1].heads.max())
    source = int(edges[0].tails[0])
    tails, heads, sizes = (np.concatenate(part) for part in zip(*edges, strict=True))
    graph = csr_array((sizes.astype(np.int32), (tails, heads)), shape=(sink + 1,) * 2)
    theirs = maximum_flow(graph, source, sink)
    rest = csr_array(graph - theirs.flow)
    rest.eliminate_zeros()
    reached = np.isin(np.arange(sink + 1), breadth_first_order(rest, source)[0])

    value, unserved = cut(edges, source, sink)

    demand = edges[0].sizes
    assert value == theirs.flow_value
    assert (unserved is None) == (value == sum(demand))
    if unserved is not None:
        assert unserved.tolist() == reached[: len(demand)].tolist()
