"""Findings in a terminal."""
