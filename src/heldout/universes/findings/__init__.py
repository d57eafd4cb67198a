"""What the universes say."""
