"""How near predicted ratings come."""
