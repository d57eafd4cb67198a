"""How far popularity and sparsity drive what is measured."""
