"""The rules of the review, one file for each code."""
