"""Findings as LaTeX tables."""
