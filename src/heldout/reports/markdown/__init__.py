"""Findings as Markdown."""
