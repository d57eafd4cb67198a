"""Significance tests, corrections, effect sizes and intervals."""
