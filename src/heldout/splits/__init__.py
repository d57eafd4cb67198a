"""How ratings are divided into train and test."""
