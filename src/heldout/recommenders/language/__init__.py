"""Language models of users and items."""
