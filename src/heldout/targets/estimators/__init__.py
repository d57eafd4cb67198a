"""Corrections of metrics that were measured among sampled items."""
