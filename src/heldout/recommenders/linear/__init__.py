"""Linear item-item models."""
