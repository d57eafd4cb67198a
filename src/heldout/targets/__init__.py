"""Which users are tested, which of their test items are relevant, which items compete, and ranking them by counting."""
