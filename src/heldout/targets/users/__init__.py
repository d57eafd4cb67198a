"""Which users are tested."""
