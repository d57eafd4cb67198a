"""Pseudo-relevance feedback: a user is the query, the neighbours are the feedback documents."""
