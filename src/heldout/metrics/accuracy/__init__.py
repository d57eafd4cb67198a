"""Ranking accuracy."""
