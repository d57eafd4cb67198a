"""Readers of real formats, filters, the profile of a data set, and simulation."""
