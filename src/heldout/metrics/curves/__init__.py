"""Precision against recall and true against false positives, at every depth."""
