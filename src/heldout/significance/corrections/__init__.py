"""Corrections for many comparisons."""
