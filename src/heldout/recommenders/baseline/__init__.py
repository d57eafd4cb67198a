"""Recommenders that do not look at the user."""
