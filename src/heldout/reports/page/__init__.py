"""Facts as one self-contained HTML file."""
