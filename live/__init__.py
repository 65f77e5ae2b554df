"""What a running cluster says of its groups, as a client of its own sees it.

``cluster.connect(properties)`` gives a connection; ``groups.list_groups``,
``reading.read_group`` (one) and ``reading.read_groups`` (all, a hundred at a time) read through
it. Whatever fails is a ``LiveError`` of one sentence, without secrets.
"""
