"""Findings, and the forms they are shown in: terminal, HTML, LaTeX, plots."""
