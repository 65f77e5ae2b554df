"""Random groups for the real libraries, with everything that group JSON can express."""

from random import Random
from typing import Any

_TOPICS = ("orders", "orders-eu", "a", "a-1", "a.b", "t1", "t10", "t2", "Z", "payments_v2")


def random_group(seed: int) -> dict[str, Any]:
    """Return one group in group JSON, determined by the seed."""
    draw = Random(seed)  # noqa: S311 -- no secret
    racks = ["r1", "r2", "r3"] if draw.random() < 0.4 else []
    topics = {name: _topic(draw, racks) for name in draw.sample(_TOPICS, draw.randint(1, 6))}
    listed = [*topics, "unknown"] if draw.random() < 0.15 else list(topics)
    partitions = [[name, p] for name, topic in topics.items() for p in range(topic["partitions"])]
    is_equal = draw.random() < 0.5
    members = []
    for name in _ids(draw):
        wanted = [topic for topic in listed if is_equal or draw.random() < 0.6]
        draw.shuffle(wanted)
        members.append(_member(draw, name, wanted, racks, partitions))
    return {"id": f"random/{seed}", "topics": topics, "members": members}


def _topic(draw: Random, racks: list[str]) -> dict[str, Any]:
    topic: dict[str, Any] = {"partitions": draw.choice([0, 1, 2, 3, 5, 8, draw.randint(9, 30)])}
    if racks:
        rows = range(topic["partitions"])
        topic["racks"] = [draw.sample(racks, draw.randint(1, len(racks))) for _ in rows]
    return topic


def _ids(draw: Random) -> list[str]:
    plain = [f"{draw.choice(['app', 'App', 'consumer'])}-{n}" for n in range(1, 30)]
    odd = ["\uff5e-1", "\U0001f4ec-1", "é-1"] if draw.random() < 0.1 else []
    return draw.sample(plain + odd, draw.choice([1, 2, 3, 4, 5, 7, 12]))


def _member(
    draw: Random, name: str, topics: list[str], racks: list[str], partitions: list[list[Any]]
) -> dict[str, Any]:
    """Return a member with a stale claim or none."""
    return {
        "id": name,
        "instance_id": f"i-{draw.randint(1, 9)}-{name}" if draw.random() < 0.3 else None,
        "rack": draw.choice([*racks, None]) if racks else None,
        "topics": topics,
        "owned": sorted(draw.sample(partitions, min(len(partitions), draw.randint(0, 4)))),
        "generation": draw.choice([None, 1, 2, 3]),
    }
