"""Figures: results in, plotly figures out."""
