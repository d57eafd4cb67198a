"""Facts in a terminal."""
