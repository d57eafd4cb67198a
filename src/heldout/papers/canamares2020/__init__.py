"""Cañamares, Castells and Moffat 2020: Tables 1 to 4, Figures 1 to 8 and what is said of them."""
