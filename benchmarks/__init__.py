"""Benchmarks, against named competitors, that anyone can run."""
