"""Which combinations of choices there are."""
