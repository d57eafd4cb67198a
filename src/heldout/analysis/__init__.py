"""From scores to numbers and sentences."""
