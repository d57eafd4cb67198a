"""What the five papers chose."""
