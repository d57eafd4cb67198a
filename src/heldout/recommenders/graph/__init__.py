"""Walks on the graph of users and items."""
