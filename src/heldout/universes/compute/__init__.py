"""The values of all universes."""
