"""Findings as documents, and the forms they are shown in: HTML, terminal, LaTeX, Markdown, CSV, figures."""
