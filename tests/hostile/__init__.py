"""Attacks: hostile names, mutated and oversized input, links, many visitors."""
