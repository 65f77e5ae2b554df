"""Bounds on lag, counts and racks, and how close an assignment comes to them."""
