"""Matrix factorisations."""
