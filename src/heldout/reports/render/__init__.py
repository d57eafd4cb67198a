"""Documents as a page, a terminal, LaTeX, Markdown, frames and pictures."""
