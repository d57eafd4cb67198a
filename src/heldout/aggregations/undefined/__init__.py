"""What a value that a metric leaves undefined counts as."""
