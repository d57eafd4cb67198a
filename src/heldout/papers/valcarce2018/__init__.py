"""Valcarce, Bellogín, Parapar and Castells 2018: Tables 2 and 3, Figures 1 to 8 on MovieLens 1M."""
