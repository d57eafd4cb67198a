"""The hot loops: arrays in, arrays out, nothing else known. The only room that imports numba."""
