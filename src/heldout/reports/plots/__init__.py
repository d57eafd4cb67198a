"""Facts as matplotlib figures."""
