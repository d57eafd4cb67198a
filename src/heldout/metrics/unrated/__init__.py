"""What a ranked item without a rating counts as."""
