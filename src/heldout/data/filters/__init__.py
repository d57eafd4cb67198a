"""One file per way of selecting data."""
