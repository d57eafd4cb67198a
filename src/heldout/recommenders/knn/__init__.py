"""Neighbourhoods of users and items."""
