"""Heldout: the offline evaluation of recommender systems, every choice explicit."""

__version__ = "0.1.0"
