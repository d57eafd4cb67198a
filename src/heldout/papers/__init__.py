"""Published beside measured: the papers' tables, figures and claims, run again."""
