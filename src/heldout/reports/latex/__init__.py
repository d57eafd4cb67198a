"""Facts as LaTeX tables."""
