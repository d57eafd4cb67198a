"""Bellogín, Castells and Cantador 2011: Table 1, Figure 2 and what is said of it."""
