"""Figures: rows in, Vega-Lite specifications out."""
