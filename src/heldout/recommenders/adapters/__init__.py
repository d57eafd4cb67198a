"""Models and lists from elsewhere: run files, Python objects, `implicit`, LensKit."""
