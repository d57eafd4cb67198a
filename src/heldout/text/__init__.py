"""Numbers, names and sentences as text, and LaTeX escaping."""
