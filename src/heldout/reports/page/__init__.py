"""Findings as one self-contained HTML file."""
