"""Lag exporters' metrics, from Prometheus' HTTP API or as text: offsets of groups over time.

``fetching`` asks a server, ``text`` reads a file; ``spans.spans_of`` makes groups of
what either returns. Whatever fails is a ``LiveError`` of one sentence, without secrets.
"""
