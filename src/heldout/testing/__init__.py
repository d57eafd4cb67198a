"""Contract tests and tiny data sets for the components of third parties."""
