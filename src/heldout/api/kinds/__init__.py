"""Kinds of results: how each is read from a folder, written to one, and shown."""
