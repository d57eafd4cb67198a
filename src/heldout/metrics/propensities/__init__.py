"""How likely a relevant item was to be rated."""
