"""How much of an item's worth is left at a rank."""
