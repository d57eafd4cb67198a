"""Gunawardana and Shani 2009: Tables 2 and 3, Figures 1 to 3."""
