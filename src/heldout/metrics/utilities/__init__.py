"""What a test rating is worth."""
