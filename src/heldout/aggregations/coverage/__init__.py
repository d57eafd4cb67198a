"""What a user without recommendations counts as."""
