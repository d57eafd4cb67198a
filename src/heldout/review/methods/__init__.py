"""The experimental section of a paper."""
