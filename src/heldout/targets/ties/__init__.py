"""The order of equal scores."""
