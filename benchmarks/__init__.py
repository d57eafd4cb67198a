"""Benchmarks: heldout beside its peers in the same run, on the same input."""
