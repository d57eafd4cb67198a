"""The metrics themselves on trial."""
