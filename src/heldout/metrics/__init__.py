"""Judging ranked lists, and the metrics."""
