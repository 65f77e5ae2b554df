"""Texts of groups of other kinds, as the tools print them."""

import json
from typing import Final

ONE, TWO = "2r8Li13RSKGZO5Me7Rpvyg", "4PXkVOfVTrGGJ4oEqNPFMA"
"""Ids that share a bucket."""
SHARE: Final = f"""\
GROUP      CONSUMER-ID            HOST       CLIENT-ID #PARTITIONS MEMBER-EPOCH ASSIGNMENT
share-jobs {ONE} /127.0.0.1 worker-1  5           3            events:0,3,5,7;jobs:1
share-jobs {TWO} /127.0.0.1 worker-2  6           3            events:1,2,4,6;jobs:0,2
"""
IDS: Final = """
Topic: events  TopicId: BC4-C-yeccUePPwxJ3FQyQ PartitionCount: 8 ReplicationFactor: 1 Configs:
Topic: jobs  TopicId: HDQl5oQn5WMjWcIaGctU0Q PartitionCount: 3 ReplicationFactor: 1 Configs:
"""
P, Q = "4e8cdd43-28ad-41a8-a789-76b7d8f491b6", "96911d8b-c098-43cf-9e61-9a921179ab1c"
STREAMS: Final = f"""\
GROUP MEMBER PROCESS CLIENT-ID ASSIGNMENTS
shop  1bz7mLOaSEi0kYMB2EbAkA {P} shop-{P}-StreamThread-1-consumer ACTIVE: 0:[1,5]; 1:[3]; 2:[3]; STANDBY: 1:[0]; 2:[0];
shop  HG5dR4q_SJSGVN7lrZIMSA {Q} shop-{Q}-StreamThread-2-consumer ACTIVE: 0:[0,4]; 1:[2]; 2:[2]; STANDBY: 1:[1]; 2:[1];
shop  RoCY_1PaRJy0uJeEsJcHUA {P} shop-{P}-StreamThread-2-consumer ACTIVE: 0:[3]; 1:[1]; 2:[1]; STANDBY: 1:[2]; 2:[2];
shop  f6OXaEOPSJm4CpXrif17pA {Q} shop-{Q}-StreamThread-1-consumer ACTIVE: 0:[2]; 1:[0]; 2:[0]; STANDBY: 1:[3]; 2:[3];
"""  # noqa: E501 -- as the tool prints it
TOPOLOGY: Final = """
Topologies:
   Sub-topology: 0
    Source: KSTREAM-SOURCE-0 (topics: [orders])
      --> KSTREAM-KEY-SELECT-1
    Processor: KSTREAM-KEY-SELECT-1 (stores: [])
      <-- KSTREAM-SOURCE-0
  Sub-topology: 1
    Source: KSTREAM-SOURCE-2 (topics: [by-letter-repartition])
      --> KSTREAM-AGGREGATE-3
    Processor: KSTREAM-AGGREGATE-3 (stores: [counts])
      <-- KSTREAM-SOURCE-2
"""


def rest(**workers_of_tasks: list[str]) -> str:
    """Return an answer of Connect's REST API: connector to the workers of itself and its tasks."""
    return json.dumps(
        {
            name: {
                "status": {
                    "name": name,
                    "connector": {"state": "RUNNING", "worker_id": itself},
                    "tasks": [
                        {"id": at, "state": "RUNNING" if worker else "UNASSIGNED"}
                        | {"worker_id": worker or "10.0.0.9:8083"}
                        for at, worker in enumerate(tasks)
                    ],
                    "type": "sink",
                },
                "info": {"name": name, "config": {"tasks.max": "4"}},
            }
            for name, (itself, *tasks) in workers_of_tasks.items()
        }
    )


CLASSIC: Final = f"""\
GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS CURRENT-EPOCH CURRENT-ASSIGNMENT TARGET-EPOCH
shop shop-{P}-StreamThread-1-consumer-5f270dc2-57af-4d8e-a91c-b6f2f8dda2f0 /127.0.0.1 shop-{P}-StreamThread-1-consumer 6 - orders:0,1,2;shop-by-letter-repartition:0,1,2 -
shop shop-{P}-StreamThread-2-consumer-91b1089d-c970-4b51-9e49-f54c3677565f /127.0.0.1 shop-{P}-StreamThread-2-consumer 6 - orders:3,4,5;shop-by-letter-repartition:3,4,5 -
"""  # noqa: E501 -- as the tool prints it
A, B = "10.0.0.1:8083", "10.0.0.2:8083"
