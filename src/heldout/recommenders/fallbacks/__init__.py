"""Orders for what a recommender could not score."""
