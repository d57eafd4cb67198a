"""Metrics themselves on trial."""
