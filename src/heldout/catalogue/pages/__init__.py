"""Pages of the methodological review, one file for each part of an experiment."""
