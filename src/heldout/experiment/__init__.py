"""A study worked out and kept."""
