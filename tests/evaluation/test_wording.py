from evaluation.wording import short_names

UUIDS = ("0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07", "4be2a1d7-02c9-4f0e-8d11-7c6a90e3f58b")


def test_the_uuid_is_left_out_where_the_rest_tells_members_apart() -> None:
    names = short_names([f"app-{k}-{uuid}" for k, uuid in enumerate(UUIDS)])

    assert names == ("app-0", "app-1")


def test_ids_stay_whole_where_they_would_become_equal_or_empty() -> None:
    alike = [f"app-{uuid}" for uuid in UUIDS]
    bare = [f"-{UUIDS[0]}"]

    assert short_names(alike) == tuple(alike)
    assert short_names(bare) == tuple(bare)
