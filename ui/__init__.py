"""Shared by all pages: the edited scenario, widgets that return plain values, cached calls."""
