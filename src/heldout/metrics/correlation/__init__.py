"""Rankings of the rated items alone, correlated with the ratings."""
