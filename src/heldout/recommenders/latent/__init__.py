"""Topics: users as mixtures of distributions over items."""
