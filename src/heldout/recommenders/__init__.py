"""Recommenders, by family; fallbacks for what they cannot score; models and runs from elsewhere."""
