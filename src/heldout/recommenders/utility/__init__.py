"""What a recommendation is worth."""
