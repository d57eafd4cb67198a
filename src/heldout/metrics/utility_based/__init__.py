"""What recommendations are worth."""
