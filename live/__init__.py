"""Groups of a running cluster, read by our own client.

``cluster.connect(properties)`` gives a connection; ``groups.list_groups``,
``reading.read_group`` (one) and ``reading.read_groups`` (all, a hundred at a time) read through
it. Whatever fails is a ``LiveError`` of one sentence, without secrets.
"""
