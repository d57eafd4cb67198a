"""What a referee would object to, and the methods section."""
