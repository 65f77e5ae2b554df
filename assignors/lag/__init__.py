"""Assignment by lag: lag from offsets, greedy spreading, local search."""
