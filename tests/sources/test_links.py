import base64
import json
import re
import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assignors.model import Group
from sources import group_json, samples
from sources.errors import SourceError
from sources.links import MOST_CHARACTERS, MOST_LETTERS, decode, encode
from tests.groups import groups, tried

LINK = encode(samples.load("orders").group) or ""


def link_to(data: bytes) -> str:
    """Return the text of a link with arbitrary bytes."""
    return "z1." + base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


@pytest.mark.slow
@given(groups())
@tried(200)
def test_a_group_is_unchanged_by_the_round_trip_through_a_link(group: Group) -> None:
    text = encode(group)

    assert text is not None
    assert group_json.encode(decode(text).group) == group_json.encode(group)


@given(groups())
@tried(50)
def test_a_link_needs_no_quoting_in_a_url(group: Group) -> None:
    text = encode(group)

    assert re.fullmatch(r"[A-Za-z0-9._-]+", text or "")


@pytest.mark.parametrize("sample", [s.id for s in samples.SAMPLES if s.id != samples.LARGE])
def test_every_small_example_fits_in_a_link(sample: str) -> None:
    group = samples.load(sample).group

    text = encode(group)

    assert text is not None
    assert decode(text).group.lags.tolist() == group.lags.tolist()


@pytest.mark.slow
def test_a_group_too_large_for_a_link_has_none() -> None:
    assert encode(samples.large()) is None


def test_a_group_that_packs_well_but_unpacks_to_too_much_has_no_link() -> None:
    group = Group.fresh({"t": 300_000}, ["c"])

    assert encode(group) is None


@pytest.mark.parametrize("kept", range(3, len(LINK) - 1, 97))
def test_a_link_that_was_cut_off_is_refused(kept: int) -> None:
    with pytest.raises(SourceError, match=r"cut off|broken"):
        decode(LINK[:kept])


def test_a_link_with_one_letter_changed_is_refused() -> None:
    middle = len(LINK) // 2
    changed = LINK[:middle] + ("B" if LINK[middle] == "A" else "A") + LINK[middle + 1 :]

    with pytest.raises(SourceError, match="broken"):
        decode(changed)


@pytest.mark.parametrize("foreign", [" ", "%2B", "+", "/", "=", "\n", "ü", "\0"])
def test_a_link_with_a_foreign_letter_is_refused(foreign: str) -> None:
    with pytest.raises(SourceError, match="broken or was changed"):
        decode(LINK[:40] + foreign + LINK[40:])


def test_something_added_after_the_group_is_refused() -> None:
    packed = zlib.compress(group_json.encode(Group.fresh({"t": 1}, ["c"]))) + b"more"

    with pytest.raises(SourceError, match="cut off or extended"):
        decode("z1." + base64.urlsafe_b64encode(packed).decode().rstrip("="))


@pytest.mark.parametrize("text", ["", "orders", "z2.abc", "https://example.org", "{}"])
def test_a_link_that_we_did_not_create_is_refused(text: str) -> None:
    with pytest.raises(SourceError, match="does not hold a group"):
        decode(text)


def test_a_link_longer_than_any_we_create_is_refused_before_it_is_unpacked() -> None:
    with pytest.raises(SourceError, match="at most 8,000 can be read"):
        decode("z1." + "A" * MOST_CHARACTERS)


def test_a_short_link_that_unpacks_to_megabytes_is_refused() -> None:
    bomb = link_to(b'{"topics":{},"members":[]}' + b" " * 5_000_000)

    assert len(bomb) <= MOST_CHARACTERS
    with pytest.raises(SourceError, match="unpacks to more than 1,000,000 bytes"):
        decode(bomb)


def test_a_short_link_that_asks_for_millions_of_partitions_is_refused() -> None:
    with pytest.raises(SourceError, match="9,000,000 partitions are more than the 100,000 "):
        decode(link_to(b'{"topics":{"t":9000000},"members":[]}'))


def test_a_short_link_that_asks_for_a_gigabyte_of_racks_is_refused() -> None:
    members = [{"id": str(k), "rack": str(k)} for k in range(300)]

    with pytest.raises(SourceError, match="pairs of rack and partition are more than"):
        decode(link_to(json.dumps({"topics": {"t": 99_999}, "members": members}).encode()))


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (b"[]", "object"),
        (b"not json", "JSON"),
        (b"\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00\x8c\x01a\x94.", "UTF-8"),  # a pickle
        (b'{"topics":{"t":-1},"members":[]}', "topics.t"),
        (b'{"topics":{"t":1},"members":[],"lags":{"u":[1]}}', "lags.u"),
        (b'{"topics":' + b'{"t":' * 50_000, "nested too deeply"),
    ],
)
def test_a_link_to_something_else_must_match_the_schema(document: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=re.escape(message)):
        decode(link_to(document))


@given(st.text(max_size=200) | st.text(max_size=200).map(lambda text: f"z1.{text}"))
@example("z1.")
@example("z1.A")
@example("z1.\ud800")
@tried(300)
def test_nothing_but_a_source_error_comes_out_of_any_text(text: str) -> None:
    with suppress(SourceError):
        decode(text)


@given(st.binary(max_size=300))
@tried(200)
def test_nothing_but_a_source_error_comes_out_of_any_bytes(data: bytes) -> None:
    with suppress(SourceError):
        decode(link_to(data))


def test_names_that_are_long_only_to_be_repeated_are_refused() -> None:
    long = "x" * (MOST_LETTERS // 2)
    data = json.dumps({"topics": {long: 3}, "members": [{"id": long + "y"}]}).encode()
    assert encode(Group.fresh({long: 3}, [f"{long}y"])) is None

    with pytest.raises(SourceError, match=r"the names in this link have 100,0\d\d characters"):
        decode(link_to(data))


def test_a_name_that_every_claim_repeats_counts_once() -> None:
    group = Group.fresh({"t" * 249: 2_000}, ["c"]).owned_by(np.zeros(2_000, np.int32))

    text = encode(group)

    assert text is not None
    assert decode(text).group.members == ("c",)
