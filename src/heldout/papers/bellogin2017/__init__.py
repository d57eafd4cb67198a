"""Bellogín, Castells and Cantador 2017: equations 2 to 5 and Figures 2 to 5, 8 and 9 on MovieLens 1M."""
