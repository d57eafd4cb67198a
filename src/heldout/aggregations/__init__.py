"""The users' values made one number, and what undefined values and uncovered users count as."""
