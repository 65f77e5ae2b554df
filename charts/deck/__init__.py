"""Slides: one description, drawn in a browser and written for PowerPoint."""
