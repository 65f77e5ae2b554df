"""Strategies compared on one group or over a window: outcomes, what they are judged by, ranks."""
