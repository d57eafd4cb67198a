"""The local page over a folder of results."""
