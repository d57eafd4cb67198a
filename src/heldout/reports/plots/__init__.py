"""Findings as matplotlib figures."""
