"""How a rating becomes gain."""
