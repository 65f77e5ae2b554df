"""Attacks: hostile names, mutated and oversized input, strangers, many visitors."""
