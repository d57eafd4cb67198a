"""The Python interface: one module per public verb, and the results that they give."""
